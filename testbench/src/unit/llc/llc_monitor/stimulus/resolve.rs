//! Drives a transaction to the ports.

use cotenant_golden::llc::clog2;
use cotenant_golden::llc::llc_monitor::{Bank, In, Matrix, Params, Set, State};
use cotenant_golden::llc::shadow_stack::Line as Held;

use super::{Access, Entry, Place, Request, Requester, Target, Transaction, When};
use crate::unit::llc::shared::nth_set;
use crate::unit::prelude::*;

/// The inputs that make a transaction happen in this state.
/// `sampled` are the sampled sets of each bank.
pub(crate) fn resolve(
    params: &Params,
    (state, sampled): (&State, &[usize]),
    transaction: &Transaction,
    input: &mut In,
) {
    let due = |bank: &Bank| bank.in_flight.due().is_some_and(|request| request.clear);
    let swept = state.banks.iter().any(due);
    let now = |when: When| match when {
        When::Never => false,
        When::Now => true,
        When::StartOfSweep => state.sweeping && state.sweep_set < 2,
        When::SecondOfSweep => state.sweeping && state.sweep_set == 1,
        When::LastOfSweep => state.sweeping && state.sweep_set as usize + 1 == params.sets,
        When::AfterSweep => !state.sweeping && swept,
        When::Overflowed => state.banks.iter().any(overflowed),
    };
    let (kids, kernels) = (ones(id_w(params.kernels)) as u8, params.kernels as u8);
    let codes = ones(clog2(params.requesters + 1)) as u16;
    input.reset = now(transaction.reset);
    input.flush = now(transaction.flush);
    input.snapshot = transaction.snapshot;
    (input.access_valid, input.invalidate_valid) = (0, 0);
    let kid = transaction.kid % kernels;
    for (number, bank) in state.banks.iter().enumerate() {
        let request = transaction.requests.get(number);
        let request = request.unwrap_or(&Request::NOTHING);
        let set = place(params, bank, sampled, request.set);
        let lines = &bank.sets[set as usize];
        let access = !matches!(request.access, Access::Bubble { .. });
        input.access_valid |= u64::from(access) << number;
        input.invalidate_valid |= u64::from(request.invalidate) << number;
        input.request_set[number] = set;
        let requester = codes & requester(state, request.requester, kid);
        let kid = state.kid_of[usize::from(requester).min(params.requesters)];
        let stack = sampled.binary_search(&(set as usize)).ok();
        let held = stack.zip(bank.sampler.as_ref());
        let held = held.map_or(&[][..], |(stack, all)| &all.shadow.stacks[stack]);
        input.access_tag[number] = tag(params, bank, lines, (held, kid), request.access);
        input.access_requester[number] = requester;
        input.invalidate_way[number] = match request.target {
            Target::Way(way) => way % params.ways as u8,
            Target::Position(position) => lines.stack.way[usize::from(position) % params.ways],
        };
    }
    let map = &transaction.map;
    input.map_valid = map.valid;
    input.map_requester = match map.entry {
        Entry::Code(code) => code & codes,
        Entry::OfBank(bank) => input.access_requester[usize::from(bank) % params.banks],
    };
    input.map_kid = match map.valid {
        true => map.kid % kernels,
        // Ignored, so it may be a KID without a kernel.
        false => map.kid & kids,
    };
    let (matrix, victim, aggressor) = transaction.read;
    input.read_matrix = matrix & ones(Matrix::code_w(params)) as u8;
    input.read_victim = victim & kids;
    input.read_aggressor = aggressor & kids;
    input.read_live = transaction.live;
}

/// A counter of the bank has.
fn overflowed(bank: &Bank) -> bool {
    let Bank {
        gdcu,
        plob,
        accesses,
        ..
    } = bank;
    let live = gdcu.live_overflow() | plob.live_overflow() | accesses.matrix.live_overflow();
    let last = gdcu.overflow() | plob.overflow() | accesses.matrix.overflow();
    live | last != 0
}

fn place(params: &Params, bank: &Bank, sampled: &[usize], place: Place) -> u32 {
    let mask = params.sets as u32 - 1;
    mask & match place {
        Place::Set(set) => set,
        Place::Again => bank.in_flight[0].set,
        Place::Back => bank.in_flight[1].set,
        Place::Sampled(nth) => {
            let set = sampled.get(nth as usize % sampled.len().max(1));
            set.map_or(nth, |&set| set as u32)
        }
        Place::Away(sets) => bank.in_flight[0].set.wrapping_add_signed(sets.into()),
    }
}

/// The first requester that runs the kernel, if it is asked for by kernel.
fn requester(state: &State, requester: Requester, kid: u8) -> u16 {
    match requester {
        Requester::Code(code) => code,
        Requester::OfKernel => {
            let found = state.kid_of.iter().position(|&runs| runs == kid);
            found.unwrap_or(0) as u16
        }
    }
}

/// The tag of the line in the position of the n-th set bit of a mask.
fn of_line(set: &Set, positions: u64, nth: u8) -> Option<u64> {
    let position = nth_set(positions, nth)?;
    let way = set.stack.way[usize::from(position)];
    set.tag.get(usize::from(way)).copied()
}

fn tag(
    params: &Params,
    bank: &Bank,
    set: &Set,
    (held, kid): (&[Option<Held>], u8),
    access: Access,
) -> u64 {
    let all = ones(params.tag_w);
    let valid = set.stack.valid;
    // After power-up stacks hold no ways; invalid positions are looked at nevertheless.
    let invalid = !valid & ones(params.ways);
    let known = |tag: u64| {
        let mut ways = set.stack.way.iter().enumerate();
        let line = |(position, &way): (usize, &u8)| {
            valid >> position & 1 == 1 && set.tag[usize::from(way)] == tag
        };
        ways.any(line) || bank.in_flight.iter().any(|request| request.tag == tag)
    };
    let new = |mut tag: u64| {
        // A set and the requests on their way hold fewer tags than this.
        for _ in 0..params.ways + bank.in_flight.len() {
            if !known(tag & all) {
                break;
            }
            tag = tag.wrapping_add(1);
        }
        tag & all
    };
    match access {
        Access::Bubble { tag } | Access::Tag { tag } => tag & all,
        Access::Line { nth } => of_line(set, valid, nth).unwrap_or_else(|| new(nth.into())),
        // Of a tag that is held there is one with nothing more in it.
        Access::Held { line } if !held.is_empty() => line.tag(held, kid) & all,
        Access::Held { .. } => new(kid.into()),
        Access::Recent { ago } => bank.in_flight[usize::from(ago) % bank.in_flight.len()].tag,
        Access::Stale { nth } => of_line(set, invalid, nth).unwrap_or_else(|| new(nth.into())),
        Access::Near { nth, bit } => {
            let tag = of_line(set, valid, nth).unwrap_or_default();
            tag ^ 1 << (usize::from(bit) % params.tag_w)
        }
        Access::New { tag } => new(tag),
    }
}
