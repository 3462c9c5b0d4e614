//! What happens in a cycle.

use super::LlcRegisters;
use cotenant_netlist::hdl::*;

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const BANKS: usize,
        const TAG_W: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const REQUESTERS: usize,
        const TOTAL_W: usize,
        const KID_W: usize,
        const REQ_W: usize,
        const PAIR_W: usize,
    > Logic
    for LlcRegisters<
        WAYS,
        KERNELS,
        SET_W,
        BANKS,
        TAG_W,
        CNT_W,
        STAGES,
        REQUESTERS,
        TOTAL_W,
        KID_W,
        REQ_W,
        PAIR_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, port, timer, scan, demotions, evictions);
        clock!(self, clock, period_passed, irq_enable, irq_register);
        self.port.reset.next = self.reset.val();
        self.timer.reset.next = self.reset.val();
        self.scan.reset.next = self.reset.val();
        self.demotions.reset.next = self.reset.val();
        self.evictions.reset.next = self.reset.val();
        self.period_passed.reset.next = self.reset.val();
        self.irq_enable.reset.next = self.reset.val();
        self.irq_register.reset.next = self.reset.val();

        comment!("The transfer.");
        self.port.select.next = self.select.val();
        self.port.write.next = self.write.val();
        self.port.address.next = self.address.val();
        self.port.write_data.next = self.write_data.val();
        self.port.strobe.next = self.strobe.val();
        self.done.next = self.port.done.val();
        self.error.next = self.port.error.val();
        self.read_data.next = self.port.read_data.val();
        self.row.next = bit_cast::<KID_W, 8>(self.port.row.val());
        self.column.next = bit_cast::<KID_W, 8>(self.port.column.val());

        comment!("What it is to.");
        self.to_misses.next = self.port.hit.val().get_bit(self.at_misses.val().index())
            | self
                .port
                .hit
                .val()
                .get_bit(self.at_misses_live.val().index());
        self.to_accesses.next = self.to_misses.val()
            | self.port.hit.val().get_bit(self.at_hits.val().index())
            | self.port.hit.val().get_bit(self.at_hits_live.val().index());
        self.to_evictions.next = self.port.hit.val().get_bit(self.at_ike.val().index())
            | self.port.hit.val().get_bit(self.at_ike_live.val().index());
        self.to_live.next = self.port.hit.val().get_bit(self.at_gdc_live.val().index())
            | self.port.hit.val().get_bit(self.at_ike_live.val().index())
            | self.port.hit.val().get_bit(self.at_hits_live.val().index())
            | self
                .port
                .hit
                .val()
                .get_bit(self.at_misses_live.val().index());
        self.to_counters.next = self.to_live.val()
            | self.to_accesses.val()
            | self.to_evictions.val()
            | self.port.hit.val().get_bit(self.at_gdc.val().index());
        self.to_limits.next = self
            .port
            .hit
            .val()
            .get_bit(self.at_demotion_limit.val().index())
            | self
                .port
                .hit
                .val()
                .get_bit(self.at_eviction_limit.val().index());

        comment!("Counters: the bus goes before the scan, which takes every other cycle.");
        self.port.hold.next = self.to_limits.val() & self.scan.sweeping.val();
        self.reads_counter.next = self.port.looks.val() & self.to_counters.val();
        self.writes_limit.next = self.port.writes.val() & self.to_limits.val();
        self.read_matrix.next = 0.into();
        self.read_victim.next = self.scan.victim.val();
        self.read_aggressor.next = self.scan.aggressor.val();
        self.read_live.next = self.scan.live.val();
        if self.scan.matrix.val() {
            self.read_matrix.next = 1.into();
        }
        if self.reads_counter.val() {
            self.read_matrix.next = 0.into();
            self.read_victim.next = self.row.val();
            self.read_aggressor.next = self.column.val();
            self.read_live.next = self.to_live.val();
            if self.to_evictions.val() {
                self.read_matrix.next = 1.into();
            }
            if self.to_accesses.val() {
                self.read_matrix.next = 2.into();
                self.read_victim.next = 0.into();
                self.read_aggressor.next = self.row.val();
                if self.to_misses.val() {
                    self.read_victim.next = 1.into();
                }
            }
        }
        self.scan.pause.next = self.reads_counter.val()
            | (self.port.looks.val() & self.to_limits.val())
            | self.writes_limit.val();
        self.scan.count.next = self.read_count.val();
        self.scan.limit_read.next = self.port.looks.val() & self.to_limits.val();
        self.scan.limit_write.next = self.writes_limit.val();
        self.scan.limit_matrix.next = self
            .port
            .hit
            .val()
            .get_bit(self.at_eviction_limit.val().index());
        self.scan.limit_victim.next = self.row.val();
        self.scan.limit_aggressor.next = self.column.val();
        self.scan.limit_data.next = self.port.data.val();

        comment!("Who exceeded a budget.");
        self.demotions.exceeded.next = self.scan.exceeded.val() & !self.scan.exceeded_matrix.val();
        self.demotions.exceeded_victim.next = self.scan.exceeded_victim.val();
        self.demotions.exceeded_aggressor.next = self.scan.exceeded_aggressor.val();
        self.demotions.victim.next = self.row.val();
        self.demotions.clear.next = self.port.writes.val()
            & self
                .port
                .hit
                .val()
                .get_bit(self.at_demotion_over.val().index());
        self.demotions.set_mask.next = self.port.writes.val()
            & self
                .port
                .hit
                .val()
                .get_bit(self.at_demotion_mask.val().index());
        self.demotions.data.next = bit_cast::<KERNELS, 32>(self.port.data.val());
        self.evictions.exceeded.next = self.scan.exceeded.val() & self.scan.exceeded_matrix.val();
        self.evictions.exceeded_victim.next = self.scan.exceeded_victim.val();
        self.evictions.exceeded_aggressor.next = self.scan.exceeded_aggressor.val();
        self.evictions.victim.next = self.row.val();
        self.evictions.clear.next = self.port.writes.val()
            & self
                .port
                .hit
                .val()
                .get_bit(self.at_eviction_over.val().index());
        self.evictions.set_mask.next = self.port.writes.val()
            & self
                .port
                .hit
                .val()
                .get_bit(self.at_eviction_mask.val().index());
        self.evictions.data.next = bit_cast::<KERNELS, 32>(self.port.data.val());

        comment!("Snapshots, by CONTROL and by the timer.");
        self.timer.set.next =
            self.port.writes.val() & self.port.hit.val().get_bit(self.at_period.val().index());
        self.timer.cycles.next = self.port.data.val();
        self.snapshots.next = self.port.writes.val()
            & self.port.hit.val().get_bit(self.at_control.val().index())
            & self
                .port
                .data
                .val()
                .get_bit(self.snapshot_lsb.val().index());
        self.snapshot.next = self.snapshots.val() | self.timer.expires.val();
        self.scan.snapshot.next = self.snapshots.val() | self.timer.expires.val();
        self.flush.next = self.port.writes.val()
            & self.port.hit.val().get_bit(self.at_control.val().index())
            & self.port.data.val().get_bit(self.flush_lsb.val().index());

        comment!("The table of requesters.");
        self.written_kid.next = bit_cast::<8, 32>(self.port.data.val());
        self.map_valid.next =
            self.port.writes.val() & self.port.hit.val().get_bit(self.at_map.val().index());
        self.map_requester.next = bit_cast::<REQ_W, 8>(self.port.row.val());
        self.map_kid.next = bit_cast::<KID_W, 8>(self.written_kid.val());
        self.port.refuse.next = self.port.hit.val().get_bit(self.at_map.val().index())
            & (self.written_kid.val() >= self.kernels.val());

        comment!("The interrupt.");
        self.irq_status.next = 0.into();
        self.irq_status.next = self
            .irq_status
            .val()
            .replace_bit(self.demotion_lsb.val().index(), self.demotions.raised.val());
        self.irq_status.next = self
            .irq_status
            .val()
            .replace_bit(self.eviction_lsb.val().index(), self.evictions.raised.val());
        self.irq_status.next = self
            .irq_status
            .val()
            .replace_bit(self.period_lsb.val().index(), self.period_passed.q.val());
        self.period_passed.d.next = self.timer.expires.val()
            | (self.period_passed.q.val()
                & !(self.port.writes.val()
                    & self
                        .port
                        .hit
                        .val()
                        .get_bit(self.at_irq_status.val().index())
                    & self.port.data.val().get_bit(self.period_lsb.val().index())));
        self.irq_enable.d.next = self.irq_enable.q.val();
        if self.port.writes.val()
            & self
                .port
                .hit
                .val()
                .get_bit(self.at_irq_enable.val().index())
        {
            self.irq_enable.d.next = bit_cast::<3, 32>(self.port.data.val());
        }
        self.irq_register.d.next = (self.irq_status.val() & self.irq_enable.q.val()).any();
        self.irq.next = self.irq_register.q.val();

        comment!("What is read.");
        self.status.next = bit_cast::<32, 8>(self.sequence_number.val()) << self.sequence_lsb.val();
        self.status.next = self.status.val().replace_bit(
            self.ready_lsb.val().index(),
            self.ready.val() & !self.scan.sweeping.val(),
        );
        self.value.next = 0.into();
        if self.port.hit.val().get_bit(self.at_status.val().index()) {
            self.value.next = self.value.val() | self.status.val();
        }
        if self.port.hit.val().get_bit(self.at_period.val().index()) {
            self.value.next = self.value.val() | self.timer.period.val();
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_irq_status.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, 3>(self.irq_status.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_irq_enable.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, 3>(self.irq_enable.q.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_overflow_gdc.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.overflow_gdc.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_overflow_ike.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.overflow_ike.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_overflow_access.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, 2>(self.overflow_access.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_demotion_over.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.demotions.over.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_eviction_over.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.evictions.over.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_demotion_mask.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.demotions.mask.val());
        }
        if self
            .port
            .hit
            .val()
            .get_bit(self.at_eviction_mask.val().index())
        {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.evictions.mask.val());
        }
        if self.port.hit.val().get_bit(self.at_map.val().index()) {
            self.value.next = self.value.val() | bit_cast::<32, KID_W>(self.mapped_kid.val());
        }
        if self.to_counters.val() {
            self.value.next = self.value.val() | bit_cast::<32, TOTAL_W>(self.read_count.val());
        }
        if self.to_limits.val() {
            self.value.next = self.value.val() | self.scan.limit.val();
        }
        self.port.value.next = self.value.val();
    }
}
