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

/**
 * Shows a document to a model: its fields in tags, text as it is, other values as JSON, and its
 * images as images after the text, numbered as the text refers to them.
 */
public final class DocumentMessage {

  private final StringBuilder text = new StringBuilder("<document>\n");
  private final List<Content> images = new ArrayList<>();

  private DocumentMessage() {}

  /** The whole document. */
  public static List<Content> of(Document document) {
    return build(document).parts();
  }

  /** The whole document, and an answer that was given to it. */
  public static List<Content> of(Document document, JsonNode output) {
    DocumentMessage message = build(document);
    message.text.append('\n').append(PromptMarkup.section("output", output.toString()));
    return message.parts();
  }

  /** Two whole documents, one after the other; the images of both are numbered through. */
  public static List<Content> ofPair(Document first, Document second) {
    DocumentMessage message = build(first);
    message.text.append("\n<document>\n");
    message.fields(second);
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

  /** Images inside lists and dictionaries (those of joined items, say) are shown as images too. */
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
}
