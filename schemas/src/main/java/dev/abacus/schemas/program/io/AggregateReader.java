package dev.abacus.schemas.program.io;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Window;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads an aggregate operator. */
final class AggregateReader {

  private static final List<String> KINDS = List.of("tumbling", "hopping", "session");

  private AggregateReader() {}

  static @Nullable LogicalOperator read(YamlNode node, String id, String input) {
    List<String> by = node.texts("by");
    Window window = node.required("window", AggregateReader::window);
    String instruction = node.optional("instruction", YamlNode::text);
    List<String> reads = node.texts("reads");
    List<Field> writes = OperatorReader.fields(node.optional("writes"), 0);
    Map<String, Computation> compute =
        YamlNode.entries(
            node.optional("compute"),
            (_, entry) -> entry.build(() -> Computation.parse(entry.text())));
    LateDocuments late = node.choice("late", LateDocuments.DEAD_LETTER);
    Double fanout = node.optional("fanout", YamlNode::real);
    return node.build(
        window,
        each ->
            new Aggregate(id, input, by, each, instruction, reads, writes, compute, late, fanout));
  }

  private static @Nullable Window window(YamlNode node) {
    if (!node.requireMapping()) {
      return null;
    }
    List<String> kinds = KINDS.stream().filter(kind -> node.optional(kind) != null).toList();
    Duration advance =
        kinds.contains("hopping") ? node.required("advance", SettingsReader::duration) : null;
    Duration grace = node.optional("grace", SettingsReader::duration, Duration.ZERO);
    node.refuseOtherKeys();
    if (kinds.size() != 1) {
      node.note("name exactly one of tumbling, hopping or session");
      return null;
    }
    Duration size = node.optional(kinds.getFirst(), SettingsReader::duration);
    if (size == null) {
      return null;
    }
    return switch (kinds.getFirst()) {
      case "tumbling" -> node.build(() -> new Window.Tumbling(size, grace));
      case "session" -> node.build(() -> new Window.Session(size, grace));
      default ->
          advance == null ? null : node.build(() -> new Window.Hopping(size, advance, grace));
    };
  }
}
