package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Builds chat requests with the tags of the data plane. */
record RequestBuilder(
    String model,
    double temperature,
    String format,
    String schema,
    String system,
    List<String> user) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static final String CATEGORIES =
      "\"late_delivery\",\"damaged_goods\",\"wrong_invoice\",\"new_order\",\"thanks\"";
  static final String CATEGORY =
      property("category", "\"type\":\"string\",\"enum\":[" + CATEGORIES + "]");
  static final String REFERENCE = property("reference", "\"type\":[\"string\",\"null\"]");
  static final String UNITS = property("units", "\"type\":\"integer\",\"minimum\":0");
  static final String IBAN = property("iban", "\"type\":[\"string\",\"null\"]");
  static final String CLAUSES =
      property("clauses", "\"type\":\"array\",\"items\":{\"type\":\"string\"}");

  static String property(String name, String schema) {
    return "\"" + name + "\":{" + schema + "}";
  }

  /** A map with these properties. */
  static RequestBuilder map(String model, String... properties) {
    return new RequestBuilder(
        model,
        0,
        "map_output",
        "{\"type\":\"object\",\"properties\":{" + String.join(",", properties) + "}}",
        "You read letters.\n<instruction>\nFill the fields.\n</instruction>",
        List.of());
  }

  /** A filter. */
  static RequestBuilder filter(String model) {
    return new RequestBuilder(
        model,
        0,
        "filter_decision",
        "{\"type\":\"object\",\"properties\":{\"satisfied\":{\"type\":\"boolean\"}}}",
        "You decide.\n<condition>\n" + Letters.CONDITION + "\n</condition>",
        List.of());
  }

  RequestBuilder ofFormat(String name, String properties) {
    return new RequestBuilder(
        model,
        temperature,
        name,
        "{\"type\":\"object\",\"properties\":{" + properties + "}}",
        system,
        user);
  }

  RequestBuilder about(String text) {
    return with("<document>\n<field name=\"text\">\n" + text + "\n</field>\n</document>");
  }

  RequestBuilder with(String more) {
    List<String> parts = new ArrayList<>(user);
    parts.add(more);
    return new RequestBuilder(model, temperature, format, schema, system, parts);
  }

  RequestBuilder atTemperature(double value) {
    return new RequestBuilder(model, value, format, schema, system, user);
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("model", model).put("temperature", temperature);
    var messages = json.putArray("messages");
    messages.addObject().put("role", "system").put("content", system);
    messages.addObject().put("role", "user").put("content", String.join("\n", user));
    if (!format.isEmpty()) {
      ObjectNode shape =
          json.putObject("response_format").put("type", "json_schema").putObject("json_schema");
      shape.put("name", format).put("strict", true).set("schema", parse(schema));
    }
    return json;
  }

  static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
