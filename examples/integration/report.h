// The counters as tables, in the words and columns of `cotenant replay`.
// SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

class Report {
  public:
    using Matrix = std::vector<std::vector<uint64_t>>;

    // By kernel.
    std::vector<uint64_t> hits, misses, owned;
    // [victim][aggressor]
    Matrix gdc, ike;

    Report(unsigned sets, unsigned ways, unsigned line, unsigned banks, unsigned kernels)
        : hits(kernels), misses(kernels), owned(kernels),
          gdc(kernels, std::vector<uint64_t>(kernels)), ike(gdc), sets_(sets), ways_(ways),
          line_(line), banks_(banks), kernels_(kernels) {}

    void print() const {
        std::printf("%u sets x %u ways x %u B, %u bank%s, %u kernels\n", sets_, ways_, line_,
                    banks_, banks_ == 1 ? "" : "s", kernels_);
        Table rows = {{"kernel", "accesses", "hits", "misses", "hit rate", "lines owned"}};
        for (unsigned k = 0; k < kernels_; ++k)
            rows.push_back(counts(std::to_string(k), hits[k], misses[k], owned[k]));
        rows.push_back(counts("all", sum(hits), sum(misses), sum(owned)));
        table(rows);
        uint64_t evictions = 0;
        for (auto& row : ike) evictions += sum(row);
        // Lines come whole here.
        std::printf("%llu evictions, 0 sector misses\n\n", (unsigned long long)evictions);

        auto number = [](uint64_t n, uint64_t) { return std::to_string(n); };
        auto share = [](uint64_t part, uint64_t whole) {
            return whole ? text("%.1f %%", 100.0 * fraction(part, whole)) : "-";
        };
        matrix("GDC: demotions, victim by aggressor", gdc, number);
        matrix("PLOB: evictions, victim by aggressor", ike, number);
        matrix("Share of each victim's misses, by GDC (self included)", gdc, share);
        matrix("Share of each victim's misses, by PLOB (others only)", others(), share);
        std::printf("PLOB's distance from GDC (wbd):");
        for (unsigned k = 0; k < kernels_; ++k)
            std::printf("%s K%u %s", k ? "," : "", k, distance(gdc[k], others()[k]).c_str());
        std::printf("\n");
    }

  private:
    using Row = std::vector<uint64_t>;
    using Table = std::vector<std::vector<std::string>>;
    unsigned sets_, ways_, line_, banks_, kernels_;

    static std::string text(const char* format, double value) {
        char buffer[64];
        std::snprintf(buffer, sizeof buffer, format, value);
        return buffer;
    }
    static double fraction(uint64_t part, uint64_t whole) { return double(part) / double(whole); }
    static uint64_t sum(const Row& row) {
        uint64_t all = 0;
        for (uint64_t n : row) all += n;
        return all;
    }
    static std::vector<std::string> counts(const std::string& name, uint64_t hits,
                                           uint64_t misses, uint64_t owned) {
        uint64_t all = hits + misses;
        auto rate = all ? text("%.2f %%", 100.0 * double(hits) / double(all)) : "-";
        return {name,
                std::to_string(all),
                std::to_string(hits),
                std::to_string(misses),
                rate,
                std::to_string(owned)};
    }
    // Without what a kernel evicted of its own.
    Matrix others() const {
        Matrix rows = ike;
        for (unsigned k = 0; k < kernels_; ++k) rows[k][k] = 0;
        return rows;
    }
    static std::string distance(const Row& a, const Row& b) {
        uint64_t all_a = sum(a), all_b = sum(b);
        if (!all_a || !all_b) return "-";
        double squares = 0;
        for (size_t j = 0; j < a.size(); ++j) {
            double d = fraction(a[j], all_a) - fraction(b[j], all_b);
            squares += d * d;
        }
        return text("%.3f", std::sqrt(squares));
    }
    template <typename Show> static void matrix(const char* title, const Matrix& cells, Show show) {
        std::printf("%s\n", title);
        Table rows = {{""}};
        for (size_t k = 0; k < cells.size(); ++k) {
            rows[0].push_back("K" + std::to_string(k));
            rows.push_back({"K" + std::to_string(k)});
            for (uint64_t n : cells[k]) rows.back().push_back(show(n, sum(cells[k])));
        }
        table(rows);
        std::printf("\n");
    }
    // Right-aligned columns.
    static void table(const Table& rows) {
        std::vector<size_t> width(rows[0].size());
        for (auto& row : rows)
            for (size_t c = 0; c < row.size(); ++c)
                if (row[c].size() > width[c]) width[c] = row[c].size();
        for (auto& row : rows) {
            for (size_t c = 0; c < row.size(); ++c)
                std::printf("  %*s", int(width[c]), row[c].c_str());
            std::printf("\n");
        }
    }
};
