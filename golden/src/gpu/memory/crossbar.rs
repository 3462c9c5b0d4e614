//! One direction of the crossbar: packets from input ports to output ports, in flits.
//!
//! A packet holds its input and its output for as many cycles as it has flits, so that each port
//! passes one flit per cycle. An output takes the inputs that ask for it in turn, round-robin from
//! the last one served. It grants a packet only when the receiver has a place for it.
//!
//! ASSUMPTION: an input is one queue, so that its first packet holds back those behind it (as in
//! GPGPU-Sim's crossbars with one virtual channel). ASSUMPTION: besides the places at the
//! receiver there is one for each cycle of the way, since a packet holds its place from the grant
//! on: a single port passes a flit every cycle, however long the way is.

use std::collections::VecDeque;

/// A packet that waits at an input.
#[derive(Debug)]
struct Packet<T> {
    item: T,
    flits: u32,
    output: u16,
}

#[derive(Debug)]
struct Input<T> {
    queue: VecDeque<Packet<T>>,
    /// Its last packet has left by then.
    free: u64,
    /// Flits that it has passed.
    flits: u64,
}

#[derive(Debug, Clone)]
struct Output {
    /// The inputs whose first packet is for this port.
    asking: u64,
    /// The input that is preferred.
    turn: u32,
    free: u64,
    /// Places at the receiver that no packet holds.
    room: u64,
    flits: u64,
}

/// All ports of a direction.
#[derive(Debug)]
pub(super) struct Switch<T> {
    latency: u64,
    /// At each receiver.
    places: u64,
    inputs: Vec<Input<T>>,
    outputs: Vec<Output>,
    /// The outputs for which an input asks.
    wanted: u64,
}

impl<T> Switch<T> {
    /// A direction with `queue` places at each receiver, and a way of `latency` cycles, at least
    /// 1. Up to 64 ports on a side: they are bits of a mask.
    pub(super) fn new(inputs: usize, outputs: usize, latency: u64, queue: u64) -> Self {
        let input = || Input {
            queue: VecDeque::new(),
            free: 0,
            flits: 0,
        };
        let output = Output {
            asking: 0,
            turn: 0,
            free: 0,
            room: queue + latency,
            flits: 0,
        };
        Self {
            latency,
            places: queue + latency,
            inputs: (0..inputs).map(|_| input()).collect(),
            outputs: vec![output; outputs],
            wanted: 0,
        }
    }

    /// Packets that wait at an input.
    #[inline]
    pub(super) fn waiting(&self, input: usize) -> usize {
        self.inputs[input].queue.len()
    }

    /// Queues a packet at an input; it can leave in the next call of
    /// [`arbitrate`](Self::arbitrate).
    #[inline]
    pub(super) fn push(&mut self, input: usize, output: usize, flits: u32, item: T) {
        let queue = &mut self.inputs[input].queue;
        queue.push_back(Packet {
            item,
            flits,
            output: output as u16,
        });
        if queue.len() == 1 {
            self.ask(input, output);
        }
    }

    fn ask(&mut self, input: usize, output: usize) {
        self.outputs[output].asking |= 1 << input;
        self.wanted |= 1 << output;
    }

    /// A receiver has taken a packet.
    #[inline]
    pub(super) fn release(&mut self, output: usize) {
        self.outputs[output].room += 1;
    }

    /// One cycle: each output that can grants a packet, which `deliver` is told: output, the
    /// cycle in which its last flit is there, and the packet.
    ///
    /// A packet pushed in cycle t and granted in the next one is there at t + latency + flits - 1.
    #[inline]
    pub(super) fn arbitrate(&mut self, cycle: u64, mut deliver: impl FnMut(usize, u64, T)) {
        let mut wanted = self.wanted;
        while wanted != 0 {
            let port = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            let output = &self.outputs[port];
            if output.free > cycle || output.room == 0 {
                continue;
            }
            let Some(input) = self.winner(output, cycle) else {
                continue;
            };
            let Some(packet) = self.inputs[input].queue.pop_front() else {
                continue;
            };
            let flits = u64::from(packet.flits);
            let sender = &mut self.inputs[input];
            sender.free = cycle + flits;
            sender.flits += flits;
            let next = sender.queue.front().map(|next| usize::from(next.output));
            let turn = (input + 1) % self.inputs.len();
            let output = &mut self.outputs[port];
            output.free = cycle + flits;
            output.flits += flits;
            output.room -= 1;
            output.turn = turn as u32;
            output.asking &= !(1 << input);
            if output.asking == 0 {
                self.wanted &= !(1 << port);
            }
            if let Some(next) = next {
                self.ask(input, next);
            }
            deliver(port, cycle + self.latency + flits - 2, packet.item);
        }
    }

    /// The first input from the preferred one on that asks and is free.
    #[inline]
    fn winner(&self, output: &Output, cycle: u64) -> Option<usize> {
        let from_turn = u64::MAX << output.turn;
        for mut asking in [output.asking & from_turn, output.asking & !from_turn] {
            while asking != 0 {
                let input = asking.trailing_zeros() as usize;
                if self.inputs[input].free <= cycle {
                    return Some(input);
                }
                asking &= asking - 1;
            }
        }
        None
    }

    /// The first cycle after `cycle` in which a packet can be granted; `u64::MAX` if none can
    /// before a receiver takes one.
    pub(super) fn next(&self, cycle: u64) -> u64 {
        let mut soonest = u64::MAX;
        let mut wanted = self.wanted;
        while wanted != 0 {
            let output = &self.outputs[wanted.trailing_zeros() as usize];
            wanted &= wanted - 1;
            if output.room == 0 {
                continue;
            }
            let mut asking = output.asking;
            while asking != 0 {
                let input = &self.inputs[asking.trailing_zeros() as usize];
                asking &= asking - 1;
                soonest = soonest.min(output.free.max(input.free));
            }
        }
        soonest.max(cycle + 1)
    }

    /// Flits that an input has passed.
    pub(super) fn flits_in(&self, input: usize) -> u64 {
        self.inputs[input].flits
    }

    /// Flits that an output has passed.
    pub(super) fn flits_out(&self, output: usize) -> u64 {
        self.outputs[output].flits
    }

    /// Places at the receiver of an output that packets hold.
    pub(super) fn taken(&self, output: usize) -> u64 {
        self.places - self.outputs[output].room
    }

    /// Flits that wait at inputs.
    pub(super) fn queued_flits(&self) -> u64 {
        let queues = self.inputs.iter().flat_map(|input| &input.queue);
        queues.map(|packet| u64::from(packet.flits)).sum()
    }

    /// The packets that wait at inputs.
    pub(super) fn packets(&self) -> impl Iterator<Item = &T> {
        let queues = self.inputs.iter().flat_map(|input| &input.queue);
        queues.map(|packet| &packet.item)
    }
}
