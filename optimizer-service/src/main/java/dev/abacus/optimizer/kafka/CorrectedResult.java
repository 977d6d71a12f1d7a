package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A record of a program's feedback topic: the result that a document should have. The header {@link
 * Headers#SOURCE}, which results carry, names the document. The fields that maps write are their
 * labels, and the label of every filter is true. Without a value the document should have no
 * result: the label of the only filter is false. A value whose only field is {@code labels} has
 * labels by operator, as a validation example has them, and says nothing of other operators.
 *
 * @param record the record itself
 * @param source of the document
 * @param document where the document is
 * @param labels by operator; not empty
 */
record CorrectedResult(
    ConsumerRecord<byte[], byte[]> record,
    Source source,
    RecordPosition document,
    Map<String, JsonNode> labels) {

  /** Header of an example that was made of a corrected result: the position of that. */
  static final String HEADER = "abacus-feedback";

  private static final String LABELS = "labels";

  CorrectedResult {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /**
   * Reads a record.
   *
   * @throws BadRecordException if the record names no document, or no label follows from it
   */
  static CorrectedResult of(
      ConsumerRecord<byte[], byte[]> record, Program program, ValueReader values)
      throws BadRecordException {
    refuseManyToOne(program);
    Header header = record.headers().lastHeader(Headers.SOURCE);
    if (header == null) {
      throw new BadRecordException(
          "no header '%s': copy the headers of the result".formatted(Headers.SOURCE));
    }
    String position = new String(header.value(), StandardCharsets.UTF_8);
    RecordPosition document = RecordPosition.parse(position);
    if (document == null) {
      throw new BadRecordException(
          "header '%s' is '%s', not TOPIC-PARTITION@OFFSET".formatted(Headers.SOURCE, position));
    }
    return new CorrectedResult(
        record,
        source(document.topic(), program),
        document,
        record.value() == null
            ? dropped(program)
            : labels(program, values.read(record.topic(), record.value())));
  }

  /** A correction is about one document, so a result must come from one, and be its only one. */
  private static void refuseManyToOne(Program program) throws BadRecordException {
    for (LogicalOperator operator : program.operators()) {
      if (!operator.isAboutOneDocument() || operator.outputs().mayBeSeveral()) {
        throw new BadRecordException(
            "results of '%s' are not one per document; write labelled examples to '%s'"
                .formatted(operator.id(), program.validation().topic()));
      }
    }
  }

  private static Source source(String topic, Program program) throws BadRecordException {
    Source source = program.sourceOf(topic);
    if (source == null) {
      throw new BadRecordException(
          "header '%s' names topic '%s', which is no source of the program"
              .formatted(Headers.SOURCE, topic));
    }
    return source;
  }

  private static Map<String, JsonNode> dropped(Program program) throws BadRecordException {
    List<String> filters = filters(program);
    if (filters.size() != 1) {
      throw new BadRecordException(
          "no value: the document should have no result, but the program has %d filters, not one"
              .formatted(filters.size()));
    }
    return Map.of(filters.getFirst(), BooleanNode.FALSE);
  }

  private static List<String> filters(Program program) {
    return program.semanticOperators().stream()
        .filter(SemanticFilter.class::isInstance)
        .map(LogicalOperator::id)
        .toList();
  }

  private static Map<String, JsonNode> labels(Program program, Document result)
      throws BadRecordException {
    if (!(result.get(LABELS) instanceof ObjectNode stated)
        || result.fieldNames().size() != 1
        || stated.properties().stream()
            .anyMatch(label -> program.operator(label.getKey()) == null)) {
      return kept(program, result);
    }
    Map<String, JsonNode> labels = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> label : stated.properties()) {
      JsonNode value = label.getValue();
      switch (program.operator(label.getKey())) {
        case SemanticFilter filter when value.isBoolean() -> labels.put(filter.id(), value);
        case SemanticMap map when value instanceof ObjectNode fields -> {
          ObjectNode checked = mapLabel(map, Document.of(fields), _ -> true);
          if (!checked.isEmpty()) {
            labels.put(map.id(), checked);
          }
        }
        case null, default ->
            throw new BadRecordException(
                "%s is no label of '%s': true or false of a filter, an object of fields of a map"
                    .formatted(value, label.getKey()));
      }
    }
    if (labels.isEmpty()) {
      throw new BadRecordException("'labels' has none of the fields that maps write");
    }
    return labels;
  }

  /** The fields of a result that a map writes. */
  private static ObjectNode mapLabel(SemanticMap map, Document result, Predicate<String> isWriter)
      throws BadRecordException {
    ObjectNode label = JsonNodeFactory.instance.objectNode();
    for (Field field : map.writes()) {
      JsonNode value = result.get(field.name());
      if (!value.isMissingNode() && isWriter.test(field.name())) {
        FieldCheck check = FieldCheck.ofLabel();
        label.set(field.name(), check.field(field, value));
        if (!check.problems().isEmpty()) {
          throw new BadRecordException(
              "'%s' cannot write this value: %s"
                  .formatted(map.id(), String.join("; ", check.problems())));
        }
      }
    }
    return label;
  }

  private static Map<String, JsonNode> kept(Program program, Document result)
      throws BadRecordException {
    Map<String, JsonNode> labels = new LinkedHashMap<>();
    Map<String, String> writers = new LinkedHashMap<>();
    program
        .operators()
        .forEach(
            operator -> operator.writtenFields().forEach(name -> writers.put(name, operator.id())));
    List<String> fields = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      if (operator instanceof SemanticMap map) {
        fields.addAll(map.writtenFields());
        ObjectNode label = mapLabel(map, result, field -> map.id().equals(writers.get(field)));
        if (!label.isEmpty()) {
          labels.put(map.id(), label);
        }
      }
    }
    filters(program).forEach(filter -> labels.put(filter, BooleanNode.TRUE));
    if (labels.isEmpty()) {
      throw new BadRecordException("the value has none of the fields " + fields);
    }
    return labels;
  }

  /** The id of the validation example. */
  String exampleId() {
    return ExampleIds.COPIED + document;
  }

  /** Where the record is. */
  RecordPosition position() {
    return RecordPosition.of(record);
  }

  /** Whether an example was made of this record or of a later one of the same partition. */
  boolean isIn(RecordPosition last) {
    return last.topic().equals(record.topic())
        && last.partition() == record.partition()
        && last.offset() >= record.offset();
  }
}
