package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.dataset.Mmqa.Kind;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The texts, tables and images of MultiModalQA that support a question ({@code gold}).
 *
 * <p>Reads {@code texts.jsonl} ({@code id}, {@code title}, {@code text}), {@code tables.jsonl}
 * ({@code id}, {@code title}, {@code table_name}, {@code header}, {@code rows}) and {@code
 * images.jsonl} ({@code id}, {@code title}, {@code file}). A table becomes text with one line per
 * row. An image item contains the bytes of its file, or only the title if the file is missing.
 */
final class MmqaItems {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TEXT = "text";

  private final Path folder;
  private final Map<Kind, Map<String, ObjectNode>> byKind = new EnumMap<>(Kind.class);
  private final Map<String, ObjectNode> byId = new LinkedHashMap<>();

  private MmqaItems(Path folder) {
    this.folder = folder;
  }

  static MmqaItems read(Path folder) {
    MmqaItems items = new MmqaItems(folder);
    for (Kind kind : Kind.values()) {
      Map<String, ObjectNode> byId = new LinkedHashMap<>();
      for (JsonLines.Line line : JsonLines.read(folder.resolve(kind.reference + ".jsonl"))) {
        if (line.object().get("gold").asBoolean()
            && byId.put(line.text("id"), items.item(line, kind)) != null) {
          throw line.wrong("duplicate item id '" + line.text("id") + "'");
        }
      }
      items.byKind.put(kind, byId);
      items.byId.putAll(byId);
    }
    return items;
  }

  private ObjectNode item(JsonLines.Line line, Kind kind) {
    ObjectNode item = JSON.objectNode().put("id", line.text("id")).put("title", line.text("title"));
    return switch (kind) {
      case TEXT -> item.put(TEXT, line.text(TEXT));
      case TABLE ->
          item.put("name", line.object().get("table_name").asText("")).put(TEXT, rows(line));
      case IMAGE -> image(item, line);
    };
  }

  private static String rows(JsonLines.Line line) {
    List<String> rows = new ArrayList<>();
    rows.add(row(line.object().get("header")));
    line.object().get("rows").forEach(row -> rows.add(row(row)));
    return String.join("\n", rows);
  }

  private static String row(JsonNode cells) {
    return StreamSupport.stream(cells.spliterator(), false)
        .map(JsonNode::asText)
        .collect(Collectors.joining(" | "));
  }

  private ObjectNode image(ObjectNode item, JsonLines.Line line) {
    Path file = folder.resolve(line.text("file")).normalize();
    if (!file.startsWith(folder.normalize())) {
      throw line.wrong("'file' is outside the folder");
    }
    if (Files.isRegularFile(file)) {
      try {
        item.putObject("image")
            .put("mediaType", mediaType(file))
            .put("bytes", Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
      } catch (IOException e) {
        throw InvalidFileException.of(file, "cannot be read: " + e.getMessage(), e);
      }
    }
    return item;
  }

  private static String mediaType(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".png") ? "image/png" : name.endsWith(".gif") ? "image/gif" : "image/jpeg";
  }

  List<ObjectNode> all(Kind kind) {
    return List.copyOf(byKind.getOrDefault(kind, Map.of()).values());
  }

  boolean has(Kind kind, String id) {
    return byKind.getOrDefault(kind, Map.of()).containsKey(id);
  }

  String title(String id) {
    return byId.getOrDefault(id, JSON.objectNode()).path("title").asText();
  }

  /**
   * Returns the evidence of an answer: the sentence or row of a supporting item that contains it
   * literally, else the id of the first supporting item. A passage with a quotation mark or
   * backslash is replaced by the id of its item, because JSON escapes these characters.
   */
  String evidence(String answer, List<String> supporting) {
    for (String id : supporting) {
      String text = byId.getOrDefault(id, JSON.objectNode()).path(TEXT).asText();
      Passages passages = new Passages(text);
      if (passages.contain(answer)) {
        String passage = passages.bestMatch(answer);
        return passage.contains("\"") || passage.contains("\\") ? id : passage;
      }
    }
    return supporting.isEmpty() ? answer : supporting.getFirst();
  }
}
