package dev.abacus.schemas.program.io;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Window;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads an aggregate operator. */
final class AggregateReader {

  private static final String KINDS = "tumbling, hopping or session";

  private AggregateReader() {}

  static @Nullable LogicalOperator read(YamlNode node, String id, String input) {
    List<String> by = node.texts("by");
    Window window = window(node.required("window"));
    YamlNode instruction = node.optional("instruction");
    List<String> reads = node.texts("reads");
    YamlNode writesNode = node.optional("writes");
    List<Field> writes = writesNode == null ? List.of() : OperatorReader.fields(writesNode, 0);
    Map<String, Computation> compute = compute(node.optional("compute"));
    LateDocuments late = late(node.optional("late"));
    Double fanout = OperatorReader.fanout(node);
    if (window == null) {
      return null;
    }
    String text = instruction == null ? null : instruction.text();
    return node.build(
        () -> new Aggregate(id, input, by, window, text, reads, writes, compute, late, fanout));
  }

  private static @Nullable Window window(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    if (!node.requireMapping()) {
      return null;
    }
    Duration tumbling = duration(node, "tumbling");
    Duration hopping = duration(node, "hopping");
    Duration session = duration(node, "session");
    Duration advance = hopping == null ? null : duration(node, "advance");
    Duration grace = Objects.requireNonNullElse(duration(node, "grace"), Duration.ZERO);
    node.refuseOtherKeys();
    if (tumbling != null && hopping == null && session == null) {
      return node.build(() -> new Window.Tumbling(tumbling, grace));
    }
    if (hopping != null && tumbling == null && session == null) {
      if (advance == null) {
        node.note("'advance' is missing");
        return null;
      }
      return node.build(() -> new Window.Hopping(hopping, advance, grace));
    }
    if (session != null && tumbling == null && hopping == null) {
      return node.build(() -> new Window.Session(session, grace));
    }
    node.note("name exactly one of " + KINDS);
    return null;
  }

  private static @Nullable Duration duration(YamlNode node, String key) {
    YamlNode entry = node.optional(key);
    return entry == null ? null : SettingsReader.duration(entry);
  }

  private static Map<String, Computation> compute(@Nullable YamlNode node) {
    Map<String, Computation> compute = new LinkedHashMap<>();
    if (node != null && node.requireMapping()) {
      for (String field : node.keys()) {
        YamlNode entry = Objects.requireNonNull(node.required(field));
        Computation computation = entry.build(() -> Computation.parse(entry.text()));
        if (computation != null) {
          compute.put(field, computation);
        }
      }
    }
    return compute;
  }

  private static LateDocuments late(@Nullable YamlNode node) {
    String label =
        node == null ? "dead-letter" : node.choice("late", List.of("dead-letter", "drop"));
    return "drop".equals(label) ? LateDocuments.DROP : LateDocuments.DEAD_LETTER;
  }
}
