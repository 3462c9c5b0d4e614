//! What the paper reports, geometric means over LRU.

use cotenant_golden::hetero::workloads::Set;
use cotenant_golden::mgmt::policy::Kind;

/// Of all workloads of a set, as a share: TAP, sections 5.1 to 5.5 and 5.7, figures 6 to 9 and 12.
pub(super) fn gain(set: Set, policy: Kind) -> Option<f64> {
    let percent = match (set, policy) {
        (Set::OneCpu, Kind::Static) => 6.5,
        (Set::OneCpu, Kind::Ucp | Kind::Tc) => 6.0,
        (Set::OneCpu, Kind::Drrip | Kind::Tadip) => 3.0,
        (Set::OneCpu, Kind::Pipp) => 4.0,
        (Set::OneCpu, Kind::TapUcp) => 11.0,
        (Set::OneCpu, Kind::TapRrip) => 12.0,
        (Set::TwoCpu | Set::FourCpu, Kind::Static) => 7.0,
        (Set::TwoCpu, Kind::Ucp) => 7.6,
        (Set::TwoCpu, Kind::Drrip) => 4.5,
        (Set::TwoCpu, Kind::TapUcp) => 12.5,
        (Set::TwoCpu, Kind::TapRrip) => 14.1,
        (Set::FourCpu, Kind::Ucp) => 6.1,
        (Set::FourCpu, Kind::Drrip) => 5.6,
        (Set::FourCpu, Kind::TapUcp) => 17.4,
        (Set::FourCpu, Kind::TapRrip) => 24.3,
        (Set::Streaming, Kind::TapUcp) => -3.0,
        (Set::Streaming, Kind::TapRrip) => -4.0,
        (Set::Streaming, Kind::TapUcpS | Kind::TapRripS) => 0.0,
        _ => return None,
    };
    Some(percent / 100.0)
}

/// With one CPU application, by the GPU application's type, A to E (section 5.1).
pub(super) fn by_type(set: Set, policy: Kind) -> [Option<f64>; 5] {
    let percent = match (set, policy) {
        (Set::OneCpu, Kind::Ucp) => [Some(0.0), Some(15.0), Some(3.0), Some(5.0), Some(12.0)],
        (Set::OneCpu, Kind::TapUcp) => [None, None, Some(17.0), None, None],
        _ => [None; 5],
    };
    percent.map(|of| of.map(|percent: f64| percent / 100.0))
}
