package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/**
 * A registry behind Confluent's REST API (Confluent's own, Apicurio's {@code /apis/ccompat/v7},
 * Karapace, …).
 *
 * <p>Caches the id of a schema under a subject without limit, because it does not change. Errors
 * are not cached.
 */
public final class HttpSchemaRegistry implements SchemaRegistry {

  private static final String AVRO = "AVRO";

  private record SubjectSchema(String subject, Schema schema) {}

  private final RegistryHttp http;
  private final String normalize;
  private final ConcurrentMap<SubjectSchema, Integer> ids = new ConcurrentHashMap<>();

  public HttpSchemaRegistry(AvroSerdeConfig config) {
    this.http = new RegistryHttp(config);
    this.normalize = config.getBoolean(AvroSerdeConfig.NORMALIZE_SCHEMAS) ? "?normalize=true" : "";
  }

  @Override
  public int register(String subject, Schema schema) {
    return id(subject, schema, "/subjects/%s/versions%s");
  }

  @Override
  public int idOf(String subject, Schema schema) {
    return id(subject, schema, "/subjects/%s%s");
  }

  private int id(String subject, Schema schema, String form) {
    SubjectSchema key = new SubjectSchema(subject, schema);
    Integer known = ids.get(key);
    if (known != null) {
      return known;
    }
    String path = form.formatted(encoded(subject), normalize);
    int id = integer(http.send("POST", path, text(schema)), "id", path);
    ids.put(key, id);
    return id;
  }

  @Override
  public Schema schemaById(int id) {
    String path = "/schemas/ids/" + id;
    return parse(http.send("GET", path, null), path);
  }

  @Override
  public SchemaText textById(int id) {
    return text(http.send("GET", "/schemas/ids/" + id, null));
  }

  private SchemaText text(JsonNode answer) {
    if (!answer.path("schema").isTextual()) {
      throw notOfRegistry(answer, "a schema");
    }
    Map<String, String> references = new LinkedHashMap<>();
    addReferences(references, answer);
    return new SchemaText(
        answer.path("schemaType").asText(AVRO), answer.path("schema").asText(), references);
  }

  /** Adds what a schema refers to, each behind what it refers to itself. */
  private void addReferences(Map<String, String> texts, JsonNode answer) {
    for (JsonNode reference : answer.path("references")) {
      String name = reference.path("name").asText();
      if (!texts.containsKey(name)) {
        String subject = encoded(reference.path("subject").asText());
        int version = reference.path("version").asInt();
        JsonNode referred =
            http.send("GET", "/subjects/%s/versions/%d".formatted(subject, version), null);
        addReferences(texts, referred);
        texts.put(name, referred.path("schema").asText());
      }
    }
  }

  @Override
  public RegisteredSchema latest(String subject) {
    String path = "/subjects/%s/versions/latest".formatted(encoded(subject));
    JsonNode answer = http.send("GET", path, null);
    return new RegisteredSchema(
        subject,
        integer(answer, "id", path),
        integer(answer, "version", path),
        parse(answer, path));
  }

  @Override
  public Optional<String> violation(String subject, Schema schema) {
    // Without a version, the registry compares with all versions that the rule names.
    String path = "/compatibility/subjects/%s/versions?verbose=true".formatted(encoded(subject));
    JsonNode answer;
    try {
      answer = http.send("POST", path, text(schema));
    } catch (RegistryException.NotFound e) {
      return Optional.empty();
    }
    if (answer.path("is_compatible").asBoolean()) {
      return Optional.empty();
    }
    StringJoiner reasons = new StringJoiner("; ");
    answer.path("messages").forEach(message -> reasons.add(message.asText()));
    return Optional.of(reasons.length() == 0 ? "the registry gives no reason" : reasons.toString());
  }

  @Override
  public Compatibility compatibility(String subject) {
    JsonNode answer;
    String path = "/config/" + encoded(subject) + "?defaultToGlobal=true";
    try {
      answer = http.send("GET", path, null);
    } catch (RegistryException.NotFound e) {
      path = "/config";
      answer = http.send("GET", path, null);
    }
    String rule = answer.path("compatibilityLevel").asText(answer.path("compatibility").asText());
    try {
      return Compatibility.valueOf(rule);
    } catch (IllegalArgumentException e) {
      throw new RegistryException.Refused(
          "The registry's answer to %s names no known compatibility: %s".formatted(path, answer),
          e);
    }
  }

  @Override
  public void setCompatibility(Compatibility compatibility) {
    http.send(
        "PUT",
        "/config",
        JsonNodeFactory.instance.objectNode().put("compatibility", compatibility.name()));
  }

  @Override
  public void close() {
    http.close();
  }

  private static ObjectNode text(Schema schema) {
    return JsonNodeFactory.instance.objectNode().put("schema", schema.toString());
  }

  private static String encoded(String subject) {
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static int integer(JsonNode answer, String field, String path) {
    JsonNode value = answer.path(field);
    if (!value.canConvertToInt()) {
      throw notOfRegistry(answer, "a number '%s' for %s".formatted(field, path));
    }
    return value.intValue();
  }

  private static RegistryException notOfRegistry(JsonNode answer, String missing) {
    return new RegistryException.Unavailable(
        "The registry's answer does not have %s (is this a schema registry?): %s"
            .formatted(missing, answer),
        null);
  }

  private Schema parse(JsonNode answer, String path) {
    SchemaText given = text(answer);
    if (!given.type().equals(AVRO)) {
      throw new RegistryException.Refused(
          "%s gave a schema of type %s; AVRO is expected".formatted(path, given.type()), null);
    }
    // What others have registered may use names and defaults that Avro for Java would not accept in
    // new schemas.
    Schema.Parser parser =
        new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
    try {
      given
          .references()
          .forEach((name, text) -> {
            if (!parser.getTypes().containsKey(name)) {
              parser.parse(text);
            }
          });
      return parser.parse(given.text());
    } catch (AvroRuntimeException e) {
      throw new RegistryException.Refused(
          "%s gave a schema that Avro cannot parse: %s".formatted(path, e.getMessage()), e);
    }
  }
}
