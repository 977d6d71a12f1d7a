package dev.abacus.schemas.kafka;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.schemas.input.JsonMistake;
import dev.abacus.schemas.input.RequiredFields;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramWriter;
import dev.abacus.schemas.program.io.SettingsReader;
import dev.abacus.schemas.program.io.YamlNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of the values that the planes write to topics. Reading ignores unknown keys, so
 * that two versions work together during a rolling upgrade.
 */
public final class Json {

  /** Records contain documents. */
  private static final int MAX_DEPTH = BoundedJson.MAX_DEPTH + 50;

  private static final JsonMapper MAPPER = mapper();

  private Json() {}

  /** UTF-8 JSON. */
  public static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          value.getClass().getSimpleName() + " cannot be written", e);
    }
  }

  /** As a JSON tree. */
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws MalformedRecordException if the bytes are not a value of this type, if a field is
   *     missing, or if the text exceeds a limit of {@link BoundedJson}
   */
  public static <T> T read(byte[] json, Class<T> type) throws MalformedRecordException {
    try {
      T value = MAPPER.readValue(json, type);
      if (value == null) {
        throw malformed(type, "the value is null", null);
      }
      String missing = RequiredFields.missing(value);
      if (missing != null) {
        throw malformed(type, "'" + missing + "' is missing", null);
      }
      return value;
    } catch (JacksonException e) {
      throw malformed(type, describe(e), e);
    } catch (IOException | RuntimeException e) {
      // Constructors check the meaning and throw exceptions of several types.
      throw malformed(type, e.getMessage(), e);
    }
  }

  /** What {@link #read} reads; null if it cannot, probably because another version wrote it. */
  public static <T> @Nullable T find(byte @Nullable [] json, Class<T> type) {
    try {
      return json == null ? null : read(json, type);
    } catch (MalformedRecordException e) {
      return null;
    }
  }

  private static MalformedRecordException malformed(
      Class<?> type, @Nullable String mistake, @Nullable Exception cause) {
    return new MalformedRecordException("not a valid %s: %s".formatted(name(type), mistake), cause);
  }

  /** The word of the documentation for a type. */
  private static String name(Class<?> type) {
    String name = type.getSimpleName();
    return switch (name) {
      case "PhysicalOperator" -> "implementation";
      case "PhysicalPlan" -> "plan";
      case "InstanceStatus" -> "status";
      case "JsonNode" -> "JSON value";
      default -> name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    };
  }

  /** The mistake in the words of the record; Jackson's messages name Java classes. */
  private static String describe(JacksonException e) {
    String at = e instanceof JsonMappingException mapping ? path(mapping) : "";
    String mistake =
        switch (e) {
          case InvalidTypeIdException unknown ->
              unknown.getTypeId() == null
                  ? "'technique' is missing"
                  : "unknown technique '%s'".formatted(unknown.getTypeId());
          case ValueInstantiationException invalid when invalid.getCause() != null ->
              String.valueOf(invalid.getCause().getMessage());
          case MismatchedInputException mismatch ->
              "a value of another type is expected"
                  + (mismatch.getTargetType() == null ? "" : ": " + name(mismatch.getTargetType()));
          default -> JsonMistake.of(e);
        };
    return at.isEmpty() ? mistake : "'%s': %s".formatted(at, mistake);
  }

  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
        .collect(Collectors.joining("."));
  }

  private static JsonMapper mapper() {
    SimpleModule module = new SimpleModule("abacus");
    writing(module, Document.class, Document::toJson);
    writing(module, Objective.class, ProgramWriter::write);
    writing(module, LogicalOperator.class, ProgramWriter::write);
    writing(module, Program.class, ProgramWriter::write);
    JsonMapper plain =
        BoundedJson.mapper(MAX_DEPTH)
            .addModule(new JavaTimeModule())
            .annotationIntrospector(new SealedTypes())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();
    PlanJson plans = new PlanJson(plain);
    writing(module, PhysicalPlan.class, plans::write);
    reading(module, PhysicalPlan.class, plans::read);
    reading(module, Document.class, node -> Document.of((ObjectNode) node));
    reading(module, Objective.class, Json::objective);
    reading(module, LogicalOperator.class, node -> ProgramWriter.readOperator(node.toString()));
    reading(module, QualityMetric.class, node -> QualityMetric.parse(node.asText()));
    plain.registerModule(module);
    return plain;
  }

  private static Objective objective(JsonNode node) throws InvalidTextException {
    YamlNode root = YamlNode.parse(node.toString());
    return root.finish(SettingsReader.objective(root));
  }

  private static <T> void writing(
      SimpleModule module, Class<T> type, Function<T, ObjectNode> writing) {
    module.addSerializer(
        type,
        new JsonSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator out, SerializerProvider provider)
              throws IOException {
            out.writeTree(writing.apply(value));
          }
        });
  }

  private static <T> void reading(SimpleModule module, Class<T> type, Reading<T> reading) {
    module.addDeserializer(
        type,
        new JsonDeserializer<T>() {
          @Override
          public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            try {
              return reading.fromTree(in.readValueAsTree());
            } catch (InvalidTextException | RuntimeException e) {
              throw JsonMappingException.from(in, String.valueOf(e.getMessage()), e);
            }
          }
        });
  }

  /** Knows the subtypes of a sealed type by its {@code permits}, which lists them already. */
  private static final class SealedTypes extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable List<NamedType> findSubtypes(Annotated type) {
      Class<?> raw = type.getRawType();
      return raw.isSealed()
          ? leaves(raw).distinct().map(NamedType::new).toList()
          : super.findSubtypes(type);
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
      return type.isSealed()
          ? Stream.of(type.getPermittedSubclasses()).flatMap(SealedTypes::leaves)
          : Stream.of(type);
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T fromTree(JsonNode node) throws IOException, InvalidTextException;
  }
}
