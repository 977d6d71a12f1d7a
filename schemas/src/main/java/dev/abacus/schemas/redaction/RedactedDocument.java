package dev.abacus.schemas.redaction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.JsonParts;
import dev.abacus.schemas.document.Media;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A document with tokens such as {@code [EMAIL_1]} in place of personal data, in its texts, its
 * whole numbers (cards) and the names of its fields. Files stay as they are.
 *
 * <p>Equal values have equal tokens, numbered in the order of the document, so the tokens are a
 * function of the document: a repetition after a crash makes the same requests. Values are equal if
 * they are equal character by character, so {@link #restore} gives back exactly what stood there.
 *
 * <p>Not thread-safe.
 */
public final class RedactedDocument {

  /** The parts of a file, which stay as they are. */
  private static final Set<String> FILE = Set.of("uri", "bytes", "mediaType");

  private final Tokens tokens;
  private final Document document;

  private RedactedDocument(Tokens tokens, Document document) {
    this.tokens = tokens;
    this.document = document;
  }

  static RedactedDocument of(Redaction redaction, Document original) {
    Tokens tokens = Tokens.of(redaction, original);
    return new RedactedDocument(tokens, mapped(original, tokens::hide, tokens::hidden));
  }

  /** The document with tokens. */
  public Document document() {
    return document;
  }

  /** A value that belongs to the document, such as a label, with the tokens of the document. */
  public JsonNode redact(JsonNode value) {
    return mapped(value, tokens::hide, tokens::hidden);
  }

  /** A text that belongs to the document, such as its key, with the tokens of the document. */
  public String redact(String text) {
    return tokens.hide(text);
  }

  /**
   * An output of operators on the document, with the values in place of its tokens. A token that
   * the document does not have, and one that a model has changed, stays as it is.
   */
  public Document restore(Document output) {
    return tokens.isEmpty() ? output : mapped(output, tokens::show, tokens::shown);
  }

  private static Document mapped(
      Document document, UnaryOperator<String> texts, UnaryOperator<JsonNode> scalars) {
    return Document.of((ObjectNode) mapped(document.toJson(), texts, scalars));
  }

  private static JsonNode mapped(
      JsonNode value, UnaryOperator<String> texts, UnaryOperator<JsonNode> scalars) {
    return switch (value) {
      case ObjectNode object -> {
        Set<String> kept = Media.of(object) == null ? Set.of() : FILE;
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.forEachEntry((name, part) ->
            copy.set(texts.apply(name), kept.contains(name) ? part : mapped(part, texts, scalars)));
        yield copy;
      }
      case ArrayNode list -> JsonParts.changed(list, item -> mapped(item, texts, scalars));
      case TextNode text -> scalars.apply(text);
      case JsonNode scalar -> scalar.isIntegralNumber() ? scalars.apply(scalar) : scalar;
    };
  }
}
