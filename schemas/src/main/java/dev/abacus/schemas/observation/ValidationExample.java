package dev.abacus.schemas.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.redaction.RedactedDocument;
import dev.abacus.schemas.redaction.Redaction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document with labels.
 *
 * @param id the record key of the validation topic
 * @param source name of the source whose documents the example represents
 * @param labels by operator id: true or false for a filter, an object of fields for a map;
 *     operators and fields may be missing
 * @param selected what was chosen because of answers
 */
public record ValidationExample(
    String id, String source, Document document, Map<String, JsonNode> labels, Selection selected) {

  public ValidationExample {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** An example that was not chosen because of answers. */
  public ValidationExample(
      String id, String source, Document document, Map<String, JsonNode> labels) {
    this(id, source, document, labels, Selection.NONE);
  }

  /** The label of an operator, or null. */
  public @Nullable JsonNode label(String operator) {
    return labels.get(operator);
  }

  /**
   * The example with its files read as those of the source.
   *
   * @throws InvalidDocumentException if a file cannot be read
   */
  public ValidationExample read(Program program) throws InvalidDocumentException {
    Source of = source(program);
    return of == null
        ? this
        : new ValidationExample(id, source, of.files().read(document), labels, selected);
  }

  private @Nullable Source source(Program program) {
    return program.sources().stream()
        .filter(one -> one.name().equals(source))
        .findFirst()
        .orElse(null);
  }

  /**
   * The example as operators see it: the document and the labels have the same tokens in place of
   * what the program hides. Labels that name items of a reference stay, since references are not
   * redacted.
   */
  public ValidationExample redacted(Program program) {
    Source of = source(program);
    Redaction redaction = of == null ? null : of.redaction();
    if (redaction == null) {
      return this;
    }
    RedactedDocument redacted = redaction.of(document);
    Map<String, JsonNode> hidden = new LinkedHashMap<>();
    labels.forEach((id, label) -> {
      LogicalOperator operator = program.operator(id);
      boolean item = operator != null && operator.writesItems();
      hidden.put(id, item ? label : redacted.redact(label));
    });
    return new ValidationExample(id, source, redacted.document(), hidden, selected);
  }
}
