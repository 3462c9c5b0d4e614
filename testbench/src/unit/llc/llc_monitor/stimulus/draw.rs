//! Transactions of a stream.

use cotenant_golden::llc::llc_monitor::Params;

use super::{Access, Entry, Map, Place, Request, Requester, Target, Transaction, When};
use crate::unit::llc::shadow_stack::Line;
use crate::unit::llc::shared::LIVE;
use crate::unit::prelude::*;

/// Of frequent flushes and resets so many in as many as there are sets take place, since a sweep
/// takes as many cycles; the others wait for a moment that is rare.
const SOME: usize = 4;
/// What comes less than once in so many sweeps is not frequent.
const SWEEPS: usize = 8;

/// The moments that a frequent reset or flush waits for.
const RESETS: [When; 4] = [
    When::Overflowed,
    When::StartOfSweep,
    When::LastOfSweep,
    When::AfterSweep,
];
const FLUSHES: [When; 3] = [When::StartOfSweep, When::LastOfSweep, When::AfterSweep];
/// How often another reset or flush follows a flush at once, or two cycles later.
const AGAIN: Odds = Odds::one_in(8);

pub(crate) fn draw(
    params: &Params,
    knobs: &Knobs,
    pace: &mut Pace,
    random: &mut Random,
    transaction: &mut Transaction,
) {
    let flushed = transaction.flush == When::Now;
    transaction.reset = when(params, knobs.reset, &RESETS, flushed, random);
    transaction.flush = when(params, knobs.flush, &FLUSHES, flushed, random);
    transaction.snapshot = random.chance(knobs.snapshot);
    transaction.kid = pace.kid(knobs.kernels, random);
    let banks = params.banks;
    transaction.requests.resize(banks, Request::NOTHING);
    for request in &mut transaction.requests {
        *request = draw_request(params, knobs, random);
        if params.sampled > 0 {
            sample(knobs, pace, random, request);
        }
    }
    let noise = random.bits();
    transaction.map = Map {
        valid: noise & 31 == 0,
        entry: match noise >> 5 & 1 {
            0 => Entry::Code((noise >> 8) as u16),
            _ => Entry::OfBank((noise >> 8) as u8),
        },
        kid: (noise >> 24) as u8,
    };
    transaction.read = (
        (noise >> 32) as u8,
        (noise >> 40) as u8,
        (noise >> 48) as u8,
    );
    transaction.live = random.chance(LIVE);
}

/// A flush or reset of these odds, or one that follows a flush.
fn when(params: &Params, odds: Odds, moments: &[When], flushed: bool, random: &mut Random) -> When {
    if flushed && random.chance(AGAIN) {
        return When::Now;
    }
    // The request before the flush is in UPDATE then.
    if odds != Odds::NEVER && random.chance(AGAIN) {
        return When::SecondOfSweep;
    }
    if !random.chance(odds) {
        return When::Never;
    }
    let seldom = odds.probability() * (SWEEPS * params.sets) as f64 <= 1.0;
    if seldom || odds == Odds::ALWAYS {
        return When::Now;
    }
    match random.below(params.sets.max(SOME)) {
        0..SOME => When::Now,
        n => moments[n % moments.len()],
    }
}

fn draw_request(params: &Params, knobs: &Knobs, random: &mut Random) -> Request {
    let noise = random.bits();
    Request {
        set: match noise & 15 {
            0..=8 => Place::Again,
            9..=12 => Place::Back,
            13..=14 => Place::Away((noise >> 4 & 7) as i8 - 3),
            _ => Place::Set((noise >> 8) as u32),
        },
        access: draw_access(params, knobs, random),
        requester: match noise >> 40 & 3 {
            0 => Requester::Code((noise >> 42) as u16),
            _ => Requester::OfKernel,
        },
        invalidate: random.chance(knobs.invalidate),
        target: match noise >> 60 {
            0..=1 => Target::Position(0),
            2..=3 => Target::Position(params.ways as u8 - 1),
            4..=7 => Target::Position((noise >> 48) as u8),
            _ => Target::Way((noise >> 48) as u8),
        },
    }
}

/// Most accesses go to sampled sets, some of these to one for a while, so that its stack fills up;
/// many to a line of the stack.
fn sample(knobs: &Knobs, pace: &Pace, random: &mut Random, request: &mut Request) {
    let bits = random.bits();
    match bits & 7 {
        0..=1 => request.set = Place::Sampled((bits >> 32) as u32),
        2..=4 => request.set = Place::Sampled(pace.character(0) as u32),
        _ => return,
    }
    let access = !matches!(request.access, Access::Bubble { .. });
    if access && bits & 0x30 != 0 {
        let line = Line::draw(knobs, random);
        request.access = Access::Held { line };
    }
}

/// A tag: mostly one of few, so that others come upon it by chance.
fn draw_tag(random: &mut Random) -> u64 {
    let bits = random.bits();
    match bits >> 61 {
        0 => bits,
        1 => !(bits & 7),
        _ => bits & 31,
    }
}

fn draw_access(params: &Params, knobs: &Knobs, random: &mut Random) -> Access {
    if !random.chance(knobs.access) {
        return Access::Bubble {
            tag: draw_tag(random),
        };
    }
    let lines = match knobs.fill {
        // Sets have few valid lines; most positions are asked for in vain.
        Fill::Sparse => params.ways.min(2),
        _ => params.ways,
    };
    let nth = knobs.nth(lines, random);
    if random.chance(knobs.hit) {
        return match random.below(6) {
            ago @ 0..=2 => Access::Recent { ago: ago as u8 },
            _ => Access::Line { nth },
        };
    }
    let other = random.below(8);
    match other {
        0 => Access::Stale { nth },
        1 => Access::Near {
            nth,
            bit: random.below(params.tag_w) as u8,
        },
        2 if knobs.hit != Odds::NEVER => Access::Tag {
            tag: draw_tag(random),
        },
        _ => Access::New {
            tag: random.bits() >> random.below(64),
        },
    }
}
