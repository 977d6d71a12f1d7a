package dev.abacus.topology.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryOutage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.result.ResultSchema;
import dev.abacus.schemas.value.RecordValues;
import dev.abacus.topology.model.WaitListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the documents of a source and writes results. Both wait while the schema registry cannot be
 * reached, because the document may be valid. A malformed document and one whose schema the
 * registry does not have fail at once.
 */
public final class DocumentCodec {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentCodec.class);

  private final Program program;
  private final Source source;
  private final @Nullable AvroValues avro;
  private final RecordValues values;
  private final boolean avroResults;

  /** By epoch; plans are immutable. Those that were not kept are derived again. */
  private final Map<Long, Derived> derived =
      Caffeine.newBuilder().maximumSize(Segment.PLANS_KEPT).<Long, Derived>build().asMap();

  /** Schemas that the registry refused, with those that are used instead. */
  private final Map<Schema, Schema> substitutes = new ConcurrentHashMap<>();

  /** The schema of results, for these schemas of the sources. */
  private record Derived(Map<String, Schema> sources, Schema results) {}

  /**
   * A codec for one program.
   *
   * @param avro null if no registry is configured
   * @throws IllegalArgumentException if the program uses a registry and none is configured
   */
  public DocumentCodec(Program program, Source source, @Nullable AvroValues avro) {
    this.program = program;
    this.source = source;
    this.avroResults = program.results().format() == Format.AVRO;
    this.avro = avro;
    this.values = new RecordValues(avro);
    if ((avroResults || source.format().usesRegistry()) && avro == null) {
      throw new IllegalArgumentException(
          "program '%s' uses Avro or Protobuf, but no schema registry is configured; set schema.registry.url"
              .formatted(program.name()));
    }
  }

  /** The name of the source in the program. */
  public String source() {
    return source.name();
  }

  /** The topic of the program's results. */
  String resultsTopic() {
    return program.results().topic();
  }

  /**
   * Reads a document.
   *
   * @param key the record key; null if the record has none
   * @throws InvalidDocumentException if the value is not a document
   */
  public Document read(byte @Nullable [] key, byte[] value)
      throws InvalidDocumentException, InterruptedException {
    AvroValues registry = avro;
    return source
        .files()
        .read(
            registry == null
                ? values.read(source, key, value)
                : await(registry, () -> values.read(source, key, value)));
  }

  /**
   * Writes a result of a plan.
   *
   * <p>If the registry refuses the schema of Avro results as incompatible, and the newest schema of
   * the subject has the same fields, results are written with that one. If a document does not fit,
   * a source may have a newer schema than the one that was looked up last.
   *
   * @throws SerializationException if the registry refuses the schema
   */
  byte[] write(Document document, PhysicalPlan plan) throws InterruptedException {
    AvroValues values = avro;
    if (!avroResults || values == null) {
      return document.toBytes();
    }
    JsonNode json = document.toJson();
    return await(
        values,
        () -> {
          Schema schema = schema(values, plan);
          try {
            return writeAvro(values, json, schema);
          } catch (AvroJsonException e) {
            values.schemas().renew();
            Schema newer = schema(values, plan);
            if (newer.equals(schema)) {
              throw e;
            }
            return writeAvro(values, json, newer);
          }
        });
  }

  private byte[] writeAvro(AvroValues values, JsonNode json, Schema schema) {
    String topic = program.results().topic();
    Schema known = substitutes.get(schema);
    if (known != null) {
      return values.toAvro(topic, ResultSchema.fitting(json, known), known);
    }
    try {
      return values.toAvro(topic, ResultSchema.fitting(json, schema), schema);
    } catch (SerializationException e) {
      Schema substitute = values.substitute(topic, schema, e);
      if (substitute == null) {
        throw e;
      }
      byte[] written = values.toAvro(topic, ResultSchema.fitting(json, substitute), substitute);
      if (substitutes.put(schema, substitute) == null) {
        LOG.warn(
            "Results of '{}' are written with the newest schema of {}, because the registry"
                + " refuses their own: {}",
            program.name(),
            topic,
            e.getMessage());
      }
      return written;
    }
  }

  private Schema schema(AvroValues values, PhysicalPlan plan) {
    Map<String, Schema> sources = ResultSchema.ofSources(program, values.schemas());
    return derived.compute(
            plan.epoch(),
            (_, before) ->
                new Derived(
                    sources,
                    before != null && before.sources.equals(sources)
                        ? before.results
                        : ResultSchema.of(planned(plan), sources)))
        .results;
  }

  /** The program as the plan executes it: a plan may belong to an earlier version of a program. */
  private Program planned(PhysicalPlan plan) {
    Map<String, LogicalOperator> executed = new HashMap<>();
    plan.steps().forEach(step -> executed.put(step.logical().id(), step.logical()));
    Map<String, String> absent = new HashMap<>();
    List<LogicalOperator> operators = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      List<String> inputs =
          operator.inputs().stream().map(input -> absent.getOrDefault(input, input)).toList();
      LogicalOperator planned = executed.getOrDefault(operator.id(), operator);
      if (operator instanceof SemanticMap && !executed.containsKey(operator.id())) {
        absent.put(operator.id(), inputs.getFirst());
      } else {
        boolean sameInputs = planned.inputs().size() == inputs.size();
        operators.add((sameInputs ? planned : operator).withInputs(inputs));
      }
    }
    return program.withOperators(operators);
  }

  /** Gives up the place of the work while it waits. */
  private static <T, X extends Exception> T await(
      AvroValues registry, RegistryOutage.Call<T, X> call) throws X, InterruptedException {
    WaitListener listener = WaitListener.current();
    return registry.outage().call(call, listener::waiting, listener::resumed);
  }
}
