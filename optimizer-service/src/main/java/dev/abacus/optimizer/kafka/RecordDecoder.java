package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.prior.LearnedKey;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InvalidControlException;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.input.Keyword;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Decodes records into loop events. */
record RecordDecoder(ControlCodec control, ValueReader values) {

  /** The record's key as text. */
  static String key(ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    if (record.key() == null) {
      throw new BadRecordException("the record has no key");
    }
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  private static <T> T parsed(ConsumerRecord<byte[], byte[]> record, Function<String, T> parser)
      throws BadRecordException {
    try {
      return parser.apply(key(record));
    } catch (IllegalArgumentException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()), e);
    }
  }

  ControlKey controlKey(ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    return parsed(record, ControlKey::parse);
  }

  LoopEvent control(ControlKey key, ConsumerRecord<byte[], byte[]> record)
      throws BadRecordException {
    try {
      ControlRecord decoded = control.decode(key, record.value());
      return decoded == null
          ? new LoopEvent.ControlRemoved(key)
          : new LoopEvent.ControlSet(decoded);
    } catch (InvalidControlException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()), e);
    }
  }

  LoopEvent observation(ConsumerRecord<byte[], byte[]> record, String program)
      throws BadRecordException {
    Observation observation = read(record.value(), Observation.class);
    if (!program.equals(observation.program())) {
      throw new BadRecordException("an observation of program " + observation.program());
    }
    return new LoopEvent.Observed(observation);
  }

  LoopEvent sample(ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    Header stamp = record.headers().lastHeader(RecordEncoder.STAMP_HEADER);
    if (stamp == null) {
      throw new BadRecordException("a sample task that no optimizer stamped");
    }
    return new DrawnSample(
        read(record.value(), SampleTask.class), read(stamp.value(), SampleStamp.class));
  }

  LiveAnswer liveAnswer(ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    return read(record.value(), LiveAnswer.class);
  }

  /** The request for a label; null if it was answered. */
  @Nullable ReviewRequest request(ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    return record.value() == null ? null : read(record.value(), ReviewRequest.class);
  }

  /**
   * The corrected result that an example was made of; null for none, or in a form of a newer
   * version. The example itself counts whatever its headers are.
   */
  static @Nullable RecordPosition correctedAt(
      ConsumerRecord<byte[], byte[]> record, Program program) {
    String stated = RecordText.header(record, CorrectedResult.HEADER);
    // An earlier version wrote no topic.
    return RecordPosition.parse(
        stated.matches("\\d+@\\d+") ? program.validation().feedback() + "-" + stated : stated);
  }

  /** When the label of an example was asked for; null if it was not, as {@link #correctedAt}. */
  static @Nullable Instant asked(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Instant.parse(RecordText.header(record, Reviews.HEADER));
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  LearnedKey learnedKey(ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    return parsed(record, LearnedKey::parse);
  }

  LoopEvent learned(LearnedKey key, ConsumerRecord<byte[], byte[]> record)
      throws BadRecordException {
    byte[] value = record.value();
    return switch (key) {
      case LearnedKey.ByOperator(String program, String operator) ->
          new LoopEvent.OperatorLearned(
              program, operator, value == null ? null : read(value, LearnedOperator.class));
      case LearnedKey.Given _ ->
          new LoopEvent.PriorsGiven(
              value == null ? null : new String(value, StandardCharsets.UTF_8));
      case LearnedKey.Transferred _ ->
          new LoopEvent.Transferred(value == null ? null : read(value, RoundPriors.class));
    };
  }

  private static <T> T read(byte @Nullable [] value, Class<T> type) throws BadRecordException {
    if (value == null) {
      throw new BadRecordException("no value");
    }
    try {
      return Json.read(value, type);
    } catch (MalformedRecordException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()), e);
    }
  }

  CorrectedResult corrected(ConsumerRecord<byte[], byte[]> record, Program program)
      throws BadRecordException {
    return CorrectedResult.of(record, program, values);
  }

  LoopEvent example(ConsumerRecord<byte[], byte[]> record, Program program)
      throws BadRecordException {
    if (record.value() == null) {
      return new LoopEvent.ExampleRemoved(key(record));
    }
    Document value = values.read(record.topic(), record.value());
    if (!(value.get("document") instanceof ObjectNode document)) {
      throw new BadRecordException("'document' must be the document, a JSON object");
    }
    return new LoopEvent.ExampleSet(
        new ValidationExample(
            record.key() == null ? idWithoutKey(record, value) : key(record),
            source(value, program),
            Document.of(document),
            labels(value),
            selection(value.get("selected"))));
  }

  /** The id that a record without a key names itself, or its position. */
  private static String idWithoutKey(ConsumerRecord<byte[], byte[]> record, Document value) {
    JsonNode id = value.get("id");
    return id.isValueNode() && !id.isNull() ? id.asText() : RecordPosition.of(record).toString();
  }

  private static Selection selection(JsonNode selected) throws BadRecordException {
    if (selected.isMissingNode() || selected.isNull()) {
      return Selection.NONE;
    }
    Selection selection = Keyword.find(Selection.class, selected.asText());
    if (selection == null) {
      throw new BadRecordException(
          "'selected' is '%s'; leave it out, or write label or document"
              .formatted(selected.asText()));
    }
    return selection;
  }

  private static String source(Document value, Program program) throws BadRecordException {
    List<String> sources = program.sources().stream().map(Source::name).toList();
    JsonNode source = value.get("source");
    if (source.isMissingNode() || source.isNull()) {
      if (sources.size() == 1) {
        return sources.getFirst();
      }
      throw new BadRecordException("'source' must be one of " + sources);
    }
    if (!sources.contains(source.asText())) {
      throw new BadRecordException(
          "no source '%s'; there are %s".formatted(source.asText(), sources));
    }
    return source.asText();
  }

  private static Map<String, JsonNode> labels(Document value) throws BadRecordException {
    JsonNode labels = value.get("labels");
    Map<String, JsonNode> byOperator = new LinkedHashMap<>();
    if (labels instanceof ObjectNode object) {
      object
          .properties()
          .forEach(label -> {
            if (!label.getValue().isNull()) {
              byOperator.put(label.getKey(), label.getValue());
            }
          });
    } else if (!labels.isMissingNode() && !labels.isNull()) {
      throw new BadRecordException("'labels' must be an object: labels by operator");
    }
    return byOperator;
  }
}
