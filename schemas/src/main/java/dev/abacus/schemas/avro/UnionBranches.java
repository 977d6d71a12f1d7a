package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;

/** Which branches of a union a JSON value may be, the closest first. */
final class UnionBranches {

  /** What {@code double} can hold and a JSON number cannot. */
  static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

  private static final int NEVER = Integer.MAX_VALUE;

  private UnionBranches() {}

  static List<Schema> candidates(JsonNode json, List<Schema> branches) {
    return branches.stream()
        .filter(it -> distance(json, it) != NEVER)
        .sorted(Comparator.comparingInt(it -> distance(json, it)))
        .toList();
  }

  private static int distance(JsonNode json, Schema branch) {
    return switch (json.getNodeType()) {
      case OBJECT, POJO -> ofObject(json, branch);
      case ARRAY -> branch.getType() == Schema.Type.ARRAY ? 0 : NEVER;
      case STRING -> ofText(json, branch);
      case NUMBER -> ofNumber(json, branch);
      case BOOLEAN -> branch.getType() == Schema.Type.BOOLEAN ? 0 : NEVER;
      case BINARY ->
          switch (branch.getType()) {
            case BYTES, FIXED -> 0;
            default -> NEVER;
          };
      case NULL, MISSING -> NEVER;
    };
  }

  private static int ofObject(JsonNode json, Schema branch) {
    return switch (branch.getType()) {
      case RECORD -> mayBe(json, branch) ? 0 : NEVER;
      case MAP -> 1;
      default -> NEVER;
    };
  }

  /** Knows every key present, and has every field without default present. */
  private static boolean mayBe(JsonNode json, Schema branch) {
    for (Schema.Field field : branch.getFields()) {
      if (!field.hasDefaultValue() && !json.has(field.name())) {
        return false;
      }
    }
    return json.properties().stream().allMatch(it -> branch.getField(it.getKey()) != null);
  }

  private static int ofText(JsonNode json, Schema branch) {
    if (LogicalJson.knows(branch)) {
      return LogicalJson.isText(branch) ? 2 : NEVER;
    }
    return switch (branch.getType()) {
      case ENUM -> branch.hasEnumSymbol(json.textValue()) ? 0 : NEVER;
      case STRING -> 1;
      case FLOAT, DOUBLE -> NOT_FINITE.contains(json.textValue()) ? 3 : NEVER;
      case FIXED -> 4;
      case BYTES -> 5;
      default -> NEVER;
    };
  }

  private static int ofNumber(JsonNode json, Schema branch) {
    if (LogicalJson.knows(branch)) {
      return LogicalJson.isText(branch) ? NEVER : 2;
    }
    // 5.0 is rather a double than a long, although it could be either.
    int integer = json.isIntegralNumber() ? 0 : 5;
    return switch (branch.getType()) {
      case INT -> integer;
      case LONG -> integer + 1;
      case DOUBLE -> 3;
      case FLOAT -> 4;
      default -> NEVER;
    };
  }
}
