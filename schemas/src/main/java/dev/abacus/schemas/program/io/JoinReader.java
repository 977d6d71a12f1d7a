package dev.abacus.schemas.program.io;

import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a join. With {@code within} it joins two streams; otherwise with a {@code condition} it
 * joins a reference; otherwise it merges two branches of one source.
 */
final class JoinReader {

  private JoinReader() {}

  static @Nullable LogicalOperator read(YamlNode node, String id, String input) {
    String with = node.text("with");
    String condition = node.optional("condition", YamlNode::text);
    JoinKind kind = node.choice("kind", JoinKind.INNER);
    YamlNode within = node.optional("within");
    List<String> reads = node.texts("reads");
    YamlNode on = node.optional("on");
    YamlNode collect = node.optional("collect");
    String into = node.text("into", collect == null ? with : collect.text());
    if (within != null) {
      Duration window = SettingsReader.duration(within);
      Double fanout = node.optional("fanout", YamlNode::real);
      if (collect != null) {
        collect.note("only a join with a reference can collect its matches");
      }
      String field = on == null ? null : on.text();
      return node.build(
          window,
          each ->
              new StreamJoin(id, input, with, each, field, condition, reads, kind, into, fanout));
    }
    if (condition == null) {
      if (kind == JoinKind.LEFT) {
        node.note("two branches of one source are joined inner; leave 'kind' out");
      }
      for (String key : List.of("on", "collect", "into", "reads")) {
        YamlNode entry = node.optional(key);
        if (entry != null) {
          entry.note(
              "two branches of one source are joined on the document that both carry; leave '%s' out, or add 'within' or a 'condition'"
                  .formatted(key));
        }
      }
      return new Merge(id, input, with);
    }
    PairCondition pairs = pairs(node, on);
    return pairs == null
        ? null
        : new ReferenceJoin(id, input, with, condition, pairs, reads, kind, into, collect != null);
  }

  /** Fields of the same name on both sides, or of each field of the document that of the item. */
  private static @Nullable PairCondition pairs(YamlNode node, @Nullable YamlNode on) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (on != null && on.isMapping()) {
      on.keys().forEach(field -> fields.put(field, on.text(field)));
    } else if (on != null) {
      on.texts().forEach(field -> fields.put(field, field));
    }
    WhereExpression where =
        node.optional(
            "where", entry -> OperatorReader.where(entry, WhereExpression::compileForPairs));
    return node.build(() -> new PairCondition(fields, where));
  }
}
