//! What the directory's pipeline does; its ports and registers are in the module above.

use super::LlcDirectory;
use cotenant_netlist::hdl::*;

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
    > Logic for LlcDirectory<WAYS, KERNELS, SET_W, TAG_W, WAY_W, KID_W, ORDER_W, OWNERS_W, WORD_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            replacement,
            compare,
            lookup,
            tags,
            report,
            update_access,
            update_invalidate,
            update_clear,
            update_set,
            update_tag,
            update_kid,
            removed,
            valid,
            victim,
            hits,
            missed,
            again,
            same_tag,
            forward,
            written_valid,
            written_victim
        );
        self.compare.reset.next = self.reset.val();
        self.lookup.reset.next = self.reset.val();
        self.tags.reset.next = self.reset.val();
        self.report.reset.next = self.reset.val();
        self.update_access.reset.next = self.reset.val();
        self.update_invalidate.reset.next = self.reset.val();
        self.update_clear.reset.next = self.reset.val();
        self.update_set.reset.next = self.reset.val();
        self.update_tag.reset.next = self.reset.val();
        self.update_kid.reset.next = self.reset.val();
        self.removed.reset.next = self.reset.val();
        self.valid.reset.next = self.reset.val();
        self.victim.reset.next = self.reset.val();
        self.hits.reset.next = self.reset.val();
        self.missed.reset.next = self.reset.val();
        self.again.reset.next = self.reset.val();
        self.same_tag.reset.next = self.reset.val();
        self.forward.reset.next = self.reset.val();
        self.written_valid.reset.next = self.reset.val();
        self.written_victim.reset.next = self.reset.val();

        comment!("COMPARE: the request taken in the cycle before; its tag is compared.");
        self.compare.next_access.next = self.request_access.val();
        self.compare.next_invalidate.next = self.request_invalidate.val();
        self.compare.next_clear.next = self.request_clear.val();
        self.compare.next_set.next = self.request_set.val();
        self.compare.next_tag.next = self.request_tag.val();
        self.compare.next_kid.next = self.request_kid.val();
        self.compare.next_way.next = self.request_way.val();

        comment!("LOOKUP: the request a cycle later; its replacement bits have been read.");
        self.lookup.next_access.next = self.compare.access.val();
        self.lookup.next_invalidate.next = self.compare.invalidate.val();
        self.lookup.next_clear.next = self.compare.clear.val();
        self.lookup.next_set.next = self.compare.set.val();
        self.lookup.next_tag.next = self.compare.tag.val();
        self.lookup.next_kid.next = self.compare.kid.val();
        self.lookup.next_way.next = self.compare.way.val();
        self.looks.next =
            self.lookup.access.val() | self.lookup.invalidate.val() | self.lookup.clear.val();

        comment!("UPDATE: the request a cycle later.");
        self.update_access.d.next = self.lookup.access.val();
        self.update_invalidate.d.next = self.lookup.invalidate.val();
        self.update_clear.d.next = self.lookup.clear.val();
        self.update_set.d.next = self.lookup.set.val();
        self.update_tag.d.next = self.lookup.tag.val();
        self.update_kid.d.next = self.lookup.kid.val();
        self.next_removed.next = 0.into();
        for w in 0..WAYS {
            self.next_removed.next = self.next_removed.val().replace_bit(
                w,
                self.lookup.invalidate.val() & (self.lookup.way.val() == w.to_bits::<WAY_W>()),
            );
        }
        self.removed.d.next = self.next_removed.val();
        self.updates.next =
            self.update_access.q.val() | self.update_invalidate.q.val() | self.update_clear.q.val();

        comment!("The ways that the request uses, and whose tags it writes.");
        self.used.next = self.hits.q.val();
        self.tag_writes.next = 0.into();
        if self.missed.q.val() {
            self.used.next = self.victim.q.val();
            self.tag_writes.next = self.victim.q.val();
        }
        if self.update_clear.q.val() {
            self.tag_writes.next = self.all_ways.val();
        }
        self.tags.request_set.next = self.request_set.val();
        self.tags.compare_access.next = self.compare.access.val();
        self.tags.compare_set.next = self.compare.set.val();
        self.tags.compare_tag.next = self.compare.tag.val();
        self.tags.write_ways.next = self.tag_writes.val();
        self.tags.write_set.next = self.update_set.q.val();
        self.tags.write_tag.next = self.update_tag.q.val();
        self.used_again.next = 0.into();
        if self.again.q.val() {
            self.used_again.next = self.used.val();
        }

        comment!("The lines that it pushes, and the owners of all.");
        self.pushed.next = 0.into();
        self.owners.next = 0.into();
        for v in 0..WAYS {
            self.newer[v].next = 0.into();
            for w in 0..WAYS {
                self.newer[v].next = self.newer[v].val().replace_bit(
                    w,
                    self.order[v].q.val().get_bit(w)
                        | (self.above[v].val().get_bit(w) & !self.order[w].q.val().get_bit(v)),
                );
            }
            if self.hits.q.val().get_bit(v) {
                self.pushed.next = self.pushed.val() | self.newer[v].val();
            }
            self.one_owner.next = self.owner[v].q.val();
            self.owners.next = self.owners.val()
                | (bit_cast::<OWNERS_W, KID_W>(self.one_owner.val()) << self.kid_at[v].val());
        }
        if self.missed.q.val() {
            self.pushed.next = self.all_ways.val();
        }

        comment!("The RAM of replacement bits: read in COMPARE, written by UPDATE.");
        self.replacement.read_address.next = self.compare.set.val();
        self.replacement.write_enable.next = self.updates.val();
        self.replacement.write_address.next = self.update_set.q.val();
        self.forward.d.next =
            self.updates.val() & (self.update_set.q.val() == self.compare.set.val());
        self.again.d.next = self.looks.val() & (self.lookup.set.val() == self.compare.set.val());
        self.same_tag.d.next =
            self.compare.access.val() & (self.lookup.tag.val() == self.compare.tag.val());

        self.read_word.next = self.replacement.read_data.val();
        self.read_valid.next = self
            .read_word
            .val()
            .get_bits::<WAYS>(self.valid_at.val().index());
        self.kept_valid.next = self.valid.q.val() & !self.removed.q.val();
        if self.update_clear.q.val() {
            self.kept_valid.next = 0.into();
        }
        self.next_valid.next = self.kept_valid.val() | self.used.val();
        if self.forward.q.val() {
            self.read_valid.next = self.written_valid.q.val();
        }
        self.base_valid.next = self.read_valid.val();
        if self.again.q.val() {
            self.base_valid.next = self.kept_valid.val();
        }
        self.valid.d.next = self.base_valid.val() | self.used_again.val();
        if !self.looks.val() {
            self.valid.d.next = 0.into();
        }
        self.written_valid.d.next = self.written_valid.q.val();
        if self.updates.val() {
            self.written_valid.d.next = self.next_valid.val();
        }
        self.write_word.next =
            bit_cast::<WORD_W, WAYS>(self.next_valid.val()) << self.valid_at.val();
        for v in 0..WAYS {
            self.ram_order[v].next = self
                .read_word
                .val()
                .get_bits::<WAYS>(self.order_at[v].val().index())
                & self.below[v].val();
            self.read_order[v].next = self.ram_order[v].val();
            self.read_owner[v].next = self
                .read_word
                .val()
                .get_bits::<KID_W>(self.owner_at[v].val().index());
            if self.forward.q.val() {
                self.read_order[v].next = self.written_order[v].q.val() & self.below[v].val();
                self.read_owner[v].next = self.written_owner[v].q.val();
            }

            // What is left of the set without the way used.
            self.kept_order[v].next =
                self.order[v].q.val() & self.below[v].val() & !self.removed.q.val();
            if self.update_clear.q.val() | self.removed.q.val().get_bit(v) {
                self.kept_order[v].next = self.below[v].val();
            }
            self.kept_owner[v].next = self.owner[v].q.val();
            if self.update_clear.q.val() {
                self.kept_owner[v].next = 0.into();
            }

            // What is written.
            self.one_row.next = self.kept_order[v].val() | (self.used.val() & self.below[v].val());
            self.one_owner.next = self.kept_owner[v].val();
            if self.used.val().get_bit(v) {
                self.one_row.next = 0.into();
                self.one_owner.next = self.update_kid.q.val();
            }
            self.write_word.next = self.write_word.val()
                | (bit_cast::<WORD_W, WAYS>(self.one_row.val()) << self.order_at[v].val())
                | (bit_cast::<WORD_W, KID_W>(self.one_owner.val()) << self.owner_at[v].val());
            self.written_order[v].clock.next = self.clock.val();
            self.written_order[v].reset.next = self.reset.val();
            self.written_order[v].d.next = self.written_order[v].q.val();
            self.written_owner[v].clock.next = self.clock.val();
            self.written_owner[v].reset.next = self.reset.val();
            self.written_owner[v].d.next = self.written_owner[v].q.val();
            if self.updates.val() {
                self.written_order[v].d.next = self.one_row.val();
                self.written_owner[v].d.next = self.one_owner.val();
            }

            // What the request in LOOKUP finds: that, or what was read.
            self.one_row.next = self.read_order[v].val();
            self.one_owner.next = self.read_owner[v].val();
            if self.again.q.val() {
                self.one_row.next = self.kept_order[v].val();
                self.one_owner.next = self.kept_owner[v].val();
            }
            self.one_row.next = self.one_row.val() | (self.used_again.val() & self.below[v].val());
            if self.used_again.val().get_bit(v) {
                self.one_row.next = 0.into();
                self.one_owner.next = self.update_kid.q.val();
            }
            self.order[v].clock.next = self.clock.val();
            self.order[v].reset.next = self.reset.val();
            self.order[v].d.next = self.one_row.val();
            if !self.looks.val() {
                self.order[v].d.next = 0.into();
            }
            self.owner[v].clock.next = self.clock.val();
            self.owner[v].reset.next = self.reset.val();
            self.owner[v].d.next = self.one_owner.val();
            if !self.looks.val() {
                self.owner[v].d.next = 0.into();
            }
        }
        self.replacement.write_data.next = self.write_word.val();

        comment!("The way at LRU, and the one before it, which is next once that is used.");
        self.ram_victim.next = 0.into();
        self.next_victim.next = 0.into();
        for v in 0..WAYS {
            self.one_row.next = !(self.below[v].val() | self.above[v].val());
            for w in 0..WAYS {
                self.one_row.next = self.one_row.val().replace_bit(
                    w,
                    self.one_row.val().get_bit(w)
                        | self.ram_order[v].val().get_bit(w)
                        | (self.above[v].val().get_bit(w) & !self.ram_order[w].val().get_bit(v)),
                );
            }
            self.ram_victim.next = self
                .ram_victim
                .val()
                .replace_bit(v, self.one_row.val().all());
            self.one_row.next = self.newer[v].val()
                | self.victim.q.val()
                | !(self.below[v].val() | self.above[v].val());
            self.next_victim.next = self.next_victim.val().replace_bit(
                v,
                self.one_row.val().all() & !self.victim.q.val().get_bit(v),
            );
        }
        self.left_victim.next = self.victim.q.val();
        if self.missed.q.val() | (self.hits.q.val() & self.victim.q.val()).any() {
            self.left_victim.next = self.next_victim.val();
        }
        if self.update_invalidate.q.val() {
            self.left_victim.next = self.removed.q.val();
        }
        if self.update_clear.q.val() {
            self.left_victim.next = self.last_way.val();
        }
        self.written_victim.d.next = self.written_victim.q.val();
        if self.updates.val() {
            self.written_victim.d.next = self.left_victim.val();
        }
        self.victim.d.next = self.ram_victim.val();
        if self.forward.q.val() {
            self.victim.d.next = self.written_victim.q.val();
        }
        if self.again.q.val() {
            self.victim.d.next = self.left_victim.val();
        }
        if !self.looks.val() {
            self.victim.d.next = 0.into();
        }

        comment!("What the access in LOOKUP hits.");
        self.read_hits.next = self.read_valid.val() & self.tags.matched.val();
        self.kept_hits.next = self.kept_valid.val() & self.tags.matched.val();
        if self.missed.q.val() {
            self.kept_hits.next =
                self.kept_valid.val() & self.tags.matched.val() & !self.victim.q.val();
        }
        self.hits_fill.next = self.missed.q.val() & self.same_tag.q.val();
        self.hits.d.next = self.read_hits.val();
        self.found.next = self.read_hits.val().any();
        if self.again.q.val() {
            self.hits.d.next = self.kept_hits.val();
            if self.hits_fill.val() {
                self.hits.d.next = self.kept_hits.val() | self.victim.q.val();
            }
            self.found.next = self.kept_hits.val().any() | self.hits_fill.val();
        }
        self.missed.d.next = self.lookup.access.val() & !self.found.val();

        comment!("What the access did.");
        self.report.access.next = self.update_access.q.val();
        self.report.missed.next = self.missed.q.val();
        self.report.hits.next = self.hits.q.val();
        self.report.victim.next = self.victim.q.val();
        self.report.valid.next = self.valid.q.val();
        self.report.line_owner.next = self.owners.val();
        self.done_valid.next = self.report.done_valid.val();
        self.done_hit.next = self.report.done_hit.val();
        self.done_evict.next = self.report.done_evict.val();
        self.done_way.next = self.report.done_way.val();
        self.done_owner.next = self.report.done_owner.val();

        comment!("The access in UPDATE, for the counting units.");
        self.access_valid.next = self.update_access.q.val();
        self.access_hit.next = self.update_access.q.val() & !self.missed.q.val();
        self.access_kid.next = self.update_kid.q.val();
        self.line_owner.next = self.owners.val();
        self.demoted.next = self.valid.q.val() & self.pushed.val();
        // Invalid ways are below all others: that at LRU is valid if all are.
        self.victim_valid.next = self.valid.q.val().all();
        self.victim_owner.next = self.report.victim_owner.val();
    }
}
