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

  private static final String KINDS = "tumbling, hopping or session";

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
    Duration tumbling = node.optional("tumbling", SettingsReader::duration);
    Duration hopping = node.optional("hopping", SettingsReader::duration);
    Duration session = node.optional("session", SettingsReader::duration);
    Duration advance = hopping == null ? null : node.optional("advance", SettingsReader::duration);
    Duration grace = node.optional("grace", SettingsReader::duration, Duration.ZERO);
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
}
