package dev.abacus.schemas.input;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Parses YAML and JSON into YAML nodes. A JSON object or list is parsed as JSON, because JSON
 * permits characters that YAML does not.
 */
public final class BoundedYaml {

  /** Maximum depth of nested mappings and lists, aliases included. */
  static final int MAX_DEPTH = 64;

  /** Maximum number of nodes, counting the content of an alias wherever it is used. */
  static final int MAX_NODES = 100_000;

  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setUseMarks(true)
          .setMaxAliasesForCollections(50)
          // With small buffers, the time to scan a scalar grows with the square of its length.
          .setBufferSize(1 << 16)
          .build();

  private static final JsonMapper JSON = BoundedJson.mapper(MAX_DEPTH).build();

  private BoundedYaml() {}

  /**
   * Returns the root node.
   *
   * @throws YamlEngineException if the text is not well-formed or is outside of the limits
   */
  public static Node compose(String text) {
    Node json = isJson(text) ? json(text) : null;
    if (json != null) {
      return json;
    }
    checkEvents(text);
    Node node =
        new Compose(SETTINGS)
            .composeString(text)
            .orElseThrow(() -> new YamlEngineException("the text is empty"));
    var _ = countNodes(node, 0, 0);
    return node;
  }

  /** Checks before composing, which recurses. */
  private static void checkEvents(String text) {
    int depth = 0;
    int nodes = 0;
    for (Event event : new Parse(SETTINGS).parseString(text)) {
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> requireWithin(++depth, ++nodes);
        case MappingEnd, SequenceEnd -> depth--;
        case Scalar, Alias -> requireWithin(depth, ++nodes);
        case StreamStart, StreamEnd, DocumentStart, DocumentEnd, Comment -> {
          // Not a node.
        }
      }
    }
  }

  /** Checks the nodes with aliases expanded; a recursive alias exceeds the depth. */
  private static int countNodes(Node node, int depth, int before) {
    int nodes = before + 1;
    requireWithin(depth, nodes);
    switch (node) {
      case MappingNode mapping -> {
        for (NodeTuple entry : mapping.getValue()) {
          nodes = countNodes(entry.getKeyNode(), depth + 1, nodes);
          nodes = countNodes(entry.getValueNode(), depth + 1, nodes);
        }
      }
      case SequenceNode sequence -> {
        for (Node item : sequence.getValue()) {
          nodes = countNodes(item, depth + 1, nodes);
        }
      }
      default -> {
        // A scalar has no content.
      }
    }
    return nodes;
  }

  private static void requireWithin(int depth, int nodes) {
    if (depth > MAX_DEPTH) {
      throw new YamlEngineException("nested more than " + MAX_DEPTH + " levels deep");
    }
    if (nodes > MAX_NODES) {
      throw new YamlEngineException("more than " + MAX_NODES + " values");
    }
  }

  private static boolean isJson(String text) {
    String start = text.stripLeading();
    return start.startsWith("{") || start.startsWith("[") || start.startsWith("\"");
  }

  /** The nodes of a JSON text; null if the text is not JSON. */
  private static @Nullable Node json(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      Node node = json(parser);
      return parser.nextToken() == null ? node : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static Node json(JsonParser from) throws IOException {
    Optional<Mark> mark = Optional.of(mark(from.currentTokenLocation()));
    requireWithin(0, (int) Math.min(from.currentTokenCount(), Integer.MAX_VALUE));
    return switch (from.currentToken()) {
      case START_OBJECT -> {
        List<NodeTuple> entries = new ArrayList<>();
        while (from.nextToken() != JsonToken.END_OBJECT) {
          Node key = scalar(Tag.STR, from.currentName(), mark(from.currentTokenLocation()));
          from.nextToken();
          entries.add(new NodeTuple(key, json(from)));
        }
        yield new MappingNode(Tag.MAP, true, entries, FlowStyle.FLOW, mark, mark);
      }
      case START_ARRAY -> {
        List<Node> items = new ArrayList<>();
        while (from.nextToken() != JsonToken.END_ARRAY) {
          items.add(json(from));
        }
        yield new SequenceNode(Tag.SEQ, true, items, FlowStyle.FLOW, mark, mark);
      }
      case VALUE_STRING -> scalar(Tag.STR, from.getText(), mark.orElseThrow());
      case VALUE_NUMBER_INT -> scalar(Tag.INT, from.getText(), mark.orElseThrow());
      case VALUE_NUMBER_FLOAT -> scalar(Tag.FLOAT, from.getText(), mark.orElseThrow());
      case VALUE_TRUE, VALUE_FALSE -> scalar(Tag.BOOL, from.getText(), mark.orElseThrow());
      case VALUE_NULL -> scalar(Tag.NULL, from.getText(), mark.orElseThrow());
      case null, default -> throw new IOException("not JSON");
    };
  }

  private static Node scalar(Tag tag, String value, Mark mark) {
    return new ScalarNode(
        tag, true, value, ScalarStyle.DOUBLE_QUOTED, Optional.of(mark), Optional.of(mark));
  }

  private static Mark mark(JsonLocation at) {
    return new Mark("json", 0, at.getLineNr() - 1, at.getColumnNr() - 1, new int[0], 0);
  }
}
