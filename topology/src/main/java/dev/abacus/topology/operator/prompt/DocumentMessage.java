package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.JsonParts;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders a document for the user message: its fields in tags, texts unchanged, other values as
 * JSON. Files follow the text, numbered as the text refers to them.
 */
public final class DocumentMessage {

  private final StringBuilder text = new StringBuilder();
  private final List<Content> files = new ArrayList<>();

  private DocumentMessage() {}

  /** One document. */
  public static List<Content> of(Document document) {
    return build(document).parts();
  }

  /** One or two documents as text; null if they have files. */
  public static @Nullable String text(Document... documents) {
    DocumentMessage message = build(documents);
    return message.files.isEmpty() ? message.text.toString() : null;
  }

  /** One document, and the output of an operator on it. */
  public static List<Content> of(Document document, JsonNode output) {
    DocumentMessage message = build(document);
    message.text.append('\n').append(PromptMarkup.section("output", output.toString()));
    return message.parts();
  }

  /** Two documents, one after the other, with one numbering of their files. */
  public static List<Content> ofPair(Document first, Document second) {
    return build(first, second).parts();
  }

  /** One document, which may be empty, and items, numbered from 1. */
  public static List<Content> ofItems(Document document, List<JsonNode> items) {
    DocumentMessage message = build(document);
    for (int i = 0; i < items.size(); i++) {
      String shown = message.shown(items.get(i));
      message.text.append('\n').append(PromptMarkup.numbered("item", i + 1, shown));
    }
    return message.parts();
  }

  private static DocumentMessage build(Document... documents) {
    DocumentMessage message = new DocumentMessage();
    for (Document document : documents) {
      message.fields(document);
    }
    return message;
  }

  private void fields(Document document) {
    text.append(text.isEmpty() ? "<document>\n" : "\n<document>\n");
    document.fieldNames().forEach(name -> field(name, document.get(name)));
    text.append("</document>");
  }

  private void field(String name, JsonNode value) {
    text.append("<field name=\"").append(PromptMarkup.attribute(name)).append("\">");
    text.append(PromptMarkup.escape(shown(value))).append("</field>\n");
  }

  private String shown(JsonNode value) {
    Media file = Media.of(value);
    if (file != null) {
      files.add(new Content.Attachment(file));
      return "(%s %d)".formatted(file.noun(), files.size());
    }
    return value.isTextual()
        ? value.textValue()
        : JsonParts.changed(value, this::withoutFiles).toString();
  }

  /** Replaces a file inside a list or an object, for example that of a joined item, too. */
  private JsonNode withoutFiles(JsonNode value) {
    return value.isContainerNode() && Media.of(value) != null
        ? TextNode.valueOf(shown(value))
        : JsonParts.changed(value, this::withoutFiles);
  }

  private List<Content> parts() {
    List<Content> parts = new ArrayList<>();
    parts.add(new Content.Text(text.toString()));
    parts.addAll(files);
    return parts;
  }

  /**
   * The first value of a document that has the shape of a file that models see but is none: shown
   * as JSON, it would look like text, and the model would answer without the file.
   *
   * @return a description of the problem; null if all files are valid
   */
  public static @Nullable String invalidMedia(Document document) {
    for (String name : document.fieldNames()) {
      String problem = invalidMedia(name, document.get(name));
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static @Nullable String invalidMedia(String path, JsonNode value) {
    if (value.path("bytes").isTextual() && value.path("mediaType").isTextual()) {
      Media file = Media.of(value);
      if (file == null) {
        return "the file in the field '%s' is not Base64, or empty".formatted(path);
      }
      return file.kind() == null || file.kind() == Media.Kind.TEXT
          ? "the field '%s' holds %s where an image, a sound or a PDF is expected"
              .formatted(path, value.path("mediaType").textValue())
          : null;
    }
    int index = 0;
    for (JsonNode part : value) {
      String problem = invalidMedia(path + "[" + index++ + "]", part);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }
}
