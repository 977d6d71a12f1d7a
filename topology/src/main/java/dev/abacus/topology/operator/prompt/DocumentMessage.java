package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.topology.model.Content;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders a document for the user message: its fields in tags, texts unchanged, other values as
 * JSON. Images follow the text, numbered as the text refers to them.
 */
public final class DocumentMessage {

  private final StringBuilder text = new StringBuilder("<document>\n");
  private final List<Content> images = new ArrayList<>();

  private DocumentMessage() {}

  /** One document. */
  public static List<Content> of(Document document) {
    return build(document).parts();
  }

  /** One or two documents as text; null if they have images. */
  public static @Nullable String text(Document... documents) {
    DocumentMessage message = build(documents[0]);
    for (int i = 1; i < documents.length; i++) {
      message.text.append("\n<document>\n");
      message.fields(documents[i]);
    }
    return message.images.isEmpty() ? message.text.toString() : null;
  }

  /** One document, and the output of an operator on it. */
  public static List<Content> of(Document document, JsonNode output) {
    DocumentMessage message = build(document);
    message.text.append('\n').append(PromptMarkup.section("output", output.toString()));
    return message.parts();
  }

  /** Two documents, one after the other, with one numbering of their images. */
  public static List<Content> ofPair(Document first, Document second) {
    DocumentMessage message = build(first);
    message.text.append("\n<document>\n");
    message.fields(second);
    return message.parts();
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

  private static DocumentMessage build(Document document) {
    DocumentMessage message = new DocumentMessage();
    message.fields(document);
    return message;
  }

  private void fields(Document document) {
    document.fieldNames().forEach(name -> field(name, document.get(name)));
    text.append("</document>");
  }

  private void field(String name, JsonNode value) {
    text.append("<field name=\"").append(PromptMarkup.attribute(name)).append("\">");
    text.append(PromptMarkup.escape(shown(value))).append("</field>\n");
  }

  private String shown(JsonNode value) {
    Image image = Image.of(value);
    if (image != null) {
      images.add(content(image));
      return "(image " + images.size() + ")";
    }
    return value.isTextual() ? value.textValue() : withoutImages(value).toString();
  }

  /** Replaces images inside lists and objects, for example those of joined items, too. */
  private JsonNode withoutImages(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(part -> copy.set(part.getKey(), inside(part.getValue())));
        yield copy;
      }
      case ArrayNode list -> {
        ArrayNode copy = JsonNodeFactory.instance.arrayNode();
        list.forEach(item -> copy.add(inside(item)));
        yield copy;
      }
      case JsonNode other -> other;
    };
  }

  private JsonNode inside(JsonNode value) {
    return value.isContainerNode() && Image.of(value) != null
        ? TextNode.valueOf(shown(value))
        : withoutImages(value);
  }

  public static Content content(Image image) {
    return switch (image) {
      case Image.Reference(String uri) -> new Content.ImageReference(uri);
      case Image.Content(String mediaType, String base64) ->
          new Content.ImageBytes(mediaType, base64);
    };
  }

  private List<Content> parts() {
    List<Content> parts = new ArrayList<>();
    parts.add(new Content.Text(text.toString()));
    parts.addAll(images);
    return parts;
  }

  /**
   * The first value of a document that has the shape of an image but is none: shown as JSON, it
   * would look like text, and the model would answer without the image.
   *
   * @return a description of the problem; null if all images are valid
   */
  public static @Nullable String invalidImage(Document document) {
    for (String name : document.fieldNames()) {
      String problem = invalidImage(name, document.get(name));
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static @Nullable String invalidImage(String path, JsonNode value) {
    if (value.path("bytes").isTextual() && value.path("mediaType").isTextual()) {
      String type = value.path("mediaType").textValue();
      if (!type.startsWith("image/")) {
        return "the field '%s' holds %s where an image is expected".formatted(path, type);
      }
      return Image.of(value) == null
          ? "the image in the field '%s' is not Base64, or empty".formatted(path)
          : null;
    }
    int index = 0;
    for (JsonNode part : value) {
      String problem = invalidImage(path + "[" + index++ + "]", part);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }
}
