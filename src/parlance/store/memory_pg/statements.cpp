// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/statements.h"

#include <cstdio>
#include <span>

#include "parlance/base/bytes.h"
#include "parlance/memory/vector/quantized_vector.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_key.h"
#include "parlance/store/memory_pg/grams.h"
#include "parlance/store/memory_pg/postgres_source.h"

namespace parlance::store {
namespace {

template <class T>
std::string bytea_of(std::span<const T> numbers) {
  return "\\x" + to_hex({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

// A text that the server reads back as the same number.
std::string text_of(double number) {
  char text[32];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.17g", number))};
}

std::string grams_of(std::int64_t person, const std::string& text) {
  pg::Array grams;
  for (const std::string& gram : grams_of_text(text)) grams.add(own_gram(person, gram));
  return grams.text();
}

template <class T, class F>
std::string array_of(const std::vector<T>& values, F of) {
  pg::Array array;
  for (const T& value : values) array.add(std::string_view(of(value)));
  return array.text();
}

std::string users_of(const std::vector<Owned>& owned) {
  return array_of(owned, [](const Owned& memory) { return memory.user; });
}
std::string ids_of(const std::vector<Owned>& owned) {
  return array_of(owned, [](const Owned& memory) { return memory.id; });
}

}  // namespace

pg::Statement turn_of(const std::string& user) { return {.sql = "SELECT memory_turn($1)", .parameters = {user}}; }

pg::Statement insert_entries(const std::string& user, std::int64_t person, const std::vector<memory::Entry>& entries) {
  using memory::Entry;
  return {
      .sql =
          "INSERT INTO memories(user_id, id, key, text, category, importance, source, source_conversation, source_event, "
          "created_at, "
          "updated_at, grams) SELECT $1, id, key, body, category, importance, source, conversation, event, created, updated, "
          "grams::text[] FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::double precision[], $7::text[], "
          "$8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[]) WITH ORDINALITY AS "
          "g(id, key, body, category, importance, source, conversation, event, created, updated, grams, place) ORDER BY place "
          "ON CONFLICT DO NOTHING RETURNING id",
      .parameters = {user, array_of(entries, [](const Entry& entry) { return entry.id; }),
                     array_of(entries, [](const Entry& entry) { return memory_key(entry.text); }),
                     array_of(entries, [](const Entry& entry) { return entry.text; }),
                     array_of(entries, [](const Entry& entry) { return to_string(entry.category); }),
                     array_of(entries, [](const Entry& entry) { return text_of(entry.importance); }),
                     array_of(entries, [](const Entry& entry) { return entry.source.kind; }),
                     array_of(entries, [](const Entry& entry) { return entry.source.conversation; }),
                     array_of(entries, [](const Entry& entry) { return std::to_string(entry.source.event); }),
                     array_of(entries, [](const Entry& entry) { return entry.created_at; }),
                     array_of(entries, [](const Entry& entry) { return entry.updated_at; }),
                     array_of(entries, [&](const Entry& entry) { return grams_of(person, entry.text); })}};
}

pg::Statement ids_of(const std::string& user, const std::vector<memory::Entry>& entries) {
  return {.sql =
              "SELECT m.id FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS g(key, id, place) CROSS JOIN LATERAL "
              "(SELECT id, 1 AS way FROM memories WHERE user_id = $1 AND key = g.key UNION ALL "
              "SELECT id, 2 FROM memories WHERE user_id = $1 AND id = g.id ORDER BY way LIMIT 1) AS m ORDER BY g.place",
          .parameters = {user, array_of(entries, [](const memory::Entry& entry) { return memory_key(entry.text); }),
                         array_of(entries, [](const memory::Entry& entry) { return entry.id; })}};
}

std::vector<pg::Statement> insert_vectors(const std::vector<Owned>& owned, const Embedded& embedded) {
  pg::Array scales;
  pg::Array bytes;
  pg::Array floats;
  for (const memory::Vector& vector : embedded.vectors) {
    const memory::QuantizedVector small = memory::quantize(vector);
    scales.add(std::string_view(text_of(static_cast<double>(small.scale))));
    bytes.add(std::string_view(bytea_of(std::span<const std::int8_t>(small.bytes))));
    floats.add(std::string_view(bytea_of(std::span<const float>(vector))));
  }
  return {{.sql = "INSERT INTO memory_embedders(id, dimension) VALUES($1, $2) ON CONFLICT DO NOTHING",
           .parameters = {embedded.embedder.id, embedded.embedder.dimension}},
          {.sql = "WITH there AS (SELECT e.number AS embedder, m.user_id, m.number, m.id, m.category, g.scale, g.bytes, g.floats "
                  "FROM unnest($3::text[], $4::text[], $5::text[], $6::real[], $7::bytea[], $8::bytea[]) "
                  "AS g(user_id, id, body, scale, bytes, floats) "
                  "JOIN memories AS m ON m.user_id = g.user_id AND m.id = g.id AND m.text = g.body "
                  "JOIN memory_embedders AS e ON e.id = $1 AND e.dimension = $2), "
                  "exact AS (INSERT INTO memory_exact(embedder, memory, floats) SELECT embedder, number, floats FROM there "
                  "ON CONFLICT DO NOTHING) "
                  "INSERT INTO memory_vectors(embedder, user_id, memory, category, scale, bytes) "
                  "SELECT embedder, user_id, number, category, scale, bytes FROM there ON CONFLICT DO NOTHING RETURNING memory",
           .parameters = {embedded.embedder.id, embedded.embedder.dimension, users_of(owned), ids_of(owned),
                          array_of(owned, [](const Owned& memory) { return memory.text; }), scales.text(), bytes.text(),
                          floats.text()}}};
}

pg::Statement log_changes(const std::vector<Owned>& owned) {
  return {.sql =
              "SELECT memory_changed(m.user_id, array_agg(m.number ORDER BY m.number), $3) FROM unnest($1::text[], $2::text[]) "
              "AS g(user_id, id) JOIN memories AS m ON m.user_id = g.user_id AND m.id = g.id GROUP BY m.user_id",
          .parameters = {users_of(owned), ids_of(owned), limits::memory_changes_kept}};
}

pg::Statement delete_entries(const std::string& user, const memory::Forget& what) {
  return {.sql =
              "WITH gone AS (DELETE FROM memories WHERE user_id = $1 AND ($2 = '' OR id = $2) AND ($3 = '' OR source = $3) "
              "AND ($4 = '' OR source_conversation = $4) RETURNING number), "
              "vectors AS (DELETE FROM memory_vectors AS v USING gone, memory_embedders AS e "
              "WHERE v.embedder = e.number AND v.user_id = $1 AND v.memory = gone.number), "
              "exact AS (DELETE FROM memory_exact AS v USING gone, memory_embedders AS e "
              "WHERE v.embedder = e.number AND v.memory = gone.number) "
              "SELECT count(*), memory_changed($1, coalesce(array_agg(number), '{}'), $5) FROM gone",
          .parameters = {user, what.id, what.source_kind, what.conversation, limits::memory_changes_kept}};
}

}  // namespace parlance::store
