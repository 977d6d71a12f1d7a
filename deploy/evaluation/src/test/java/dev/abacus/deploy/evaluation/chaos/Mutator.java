package dev.abacus.deploy.evaluation.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Draws mutants of valid records: of their bytes, of their structure and of their meaning. */
final class Mutator {

  /** Texts that have stopped parsers: recursion, expansion, sizes and numbers. */
  static final List<String> HOSTILE =
      List.of(
          "a: &a {b: *a}",
          """
          a: &a [x,x,x,x,x,x,x,x,x]
          b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
          c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
          d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]
          e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]
          f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]
          g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]
          h: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g]
          i: [*h,*h,*h,*h,*h,*h,*h,*h,*h]
          """,
          "[".repeat(20_000),
          "{\"a\":".repeat(20_000),
          "[".repeat(5_000) + "]".repeat(5_000),
          "- ".repeat(5_000),
          "\"" + "x".repeat(200_000),
          "9".repeat(100_000),
          "",
          " ",
          "\u0000",
          "{",
          "]",
          "!!javax.script.ScriptEngineManager [x]",
          "<a>".repeat(100));

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "-1",
          "0",
          "1e-2147483648",
          "1e2147483647",
          "9223372036854775808",
          "1e400",
          "99999999999999",
          "\"\"",
          "\"99999999999999h\"",
          "\"-1s\"",
          "\"\\u0000\\ud800\"",
          "\"../../x\"",
          "\"no-such-name\"",
          "[]",
          "{}",
          "[[[[[[[[]]]]]]]]",
          "{\"technique\":\"no-such-technique\"}");

  private final ObjectMapper json = new ObjectMapper();
  private final Random random;

  Mutator(long seed) {
    random = new Random(seed);
  }

  /** A mutant that is no valid text of any kind. */
  byte[] hostile() {
    return utf8(HOSTILE.get(random.nextInt(HOSTILE.size())));
  }

  /** A mutant of a record with JSON text. It may be valid, with another meaning. */
  byte[] of(byte[] record) {
    return switch (random.nextInt(10)) {
      case 0 -> hostile();
      case 1, 2, 3 -> bytes(record);
      default -> structure(record);
    };
  }

  /** A mutant of the bytes of any record. */
  byte[] bytes(byte[] record) {
    byte[] mutant = record.clone();
    if (mutant.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    switch (random.nextInt(5)) {
      case 0 -> mutant = Arrays.copyOf(mutant, random.nextInt(mutant.length));
      case 1 -> random.nextBytes(mutant);
      case 2 -> mutant = Arrays.copyOf(mutant, mutant.length + 1 + random.nextInt(64));
      default -> {
        for (int i = random.nextInt(4); i >= 0; i--) {
          mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
        }
      }
    }
    return mutant;
  }

  /** Replaces, removes or adds one value somewhere in the tree. */
  private byte[] structure(byte[] record) {
    try {
      JsonNode root = json.readTree(record);
      List<JsonNode> containers = new ArrayList<>();
      collect(root, containers);
      if (containers.isEmpty()) {
        return utf8(value());
      }
      // The value is inserted as text, so that it may be one that a tree cannot hold.
      String hole = "hole-" + random.nextLong();
      switch (containers.get(random.nextInt(containers.size()))) {
        case ObjectNode object -> {
          List<String> names = new ArrayList<>();
          object.fieldNames().forEachRemaining(names::add);
          String name =
              names.isEmpty() || random.nextInt(6) == 0
                  ? "unknown"
                  : names.get(random.nextInt(names.size()));
          if (random.nextInt(4) == 0) {
            object.remove(name);
          } else {
            object.put(name, hole);
          }
        }
        case ArrayNode array -> {
          if (array.isEmpty() || random.nextInt(4) == 0) {
            array.add(hole);
          } else if (random.nextInt(3) == 0) {
            array.remove(random.nextInt(array.size()));
          } else {
            array.set(random.nextInt(array.size()), json.getNodeFactory().textNode(hole));
          }
        }
        default -> throw new IllegalStateException("neither object nor array");
      }
      return utf8(root.toString().replace("\"" + hole + "\"", value()));
    } catch (JsonProcessingException e) {
      return bytes(record);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainerNode()) {
      containers.add(node);
    }
    node.forEach(child -> collect(child, containers));
  }

  private String value() {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
