package dev.abacus.optimizer.page.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One request for a label.
 *
 * @param position of the document; empty if no request is open
 * @param request null if none is open
 * @param number of this request among the open ones, in words
 * @param fields that the label has; empty for a filter
 */
public record ReviewView(
    String position, @Nullable ReviewRequest request, String number, List<Input> fields) {

  /**
   * A field of a label.
   *
   * @param options the possible values, as text; empty if there are too many to list
   * @param typed what the visitor has typed
   */
  public record Input(String name, String description, List<String> options, String typed) {}

  /**
   * Computes the page.
   *
   * @param seen position of the request that the visitor has seen; null for none
   * @param done whether it is answered
   * @param again whether it is to be shown again, if it is still open
   * @param typed what the visitor has typed into a field
   */
  public static ReviewView of(
      ProgramRecords records,
      @Nullable String seen,
      boolean done,
      boolean again,
      UnaryOperator<String> typed) {
    // In an order in which one that is no more open has its place, too.
    NavigableMap<String, ReviewRequest> open = new TreeMap<>(records.reviews());
    String later = seen == null ? null : again ? open.ceilingKey(seen) : open.higherKey(seen);
    String next = later == null && !open.isEmpty() ? open.firstKey() : later;
    String position = next == null || (done && next.equals(seen)) ? "" : next;
    ReviewRequest request = open.get(position);
    return new ReviewView(
        position,
        request,
        "%d of %d".formatted(open.headMap(position).size() + 1, open.size()),
        request != null && request.operator() instanceof SemanticMap map
            ? map.writes().stream().map(field -> input(field, typed.apply(field.name()))).toList()
            : List.of());
  }

  private static Input input(Field field, String typed) {
    return new Input(
        field.name(),
        field.description(),
        switch (field.type()) {
          case FieldType.StringType(List<String> values) -> values;
          case FieldType.BooleanType _ -> List.of("true", "false");
          case FieldType _ -> List.of();
        },
        typed);
  }

  /** Whether one key gives the whole label. */
  public boolean isOneKey() {
    return fields.isEmpty() || (fields.size() == 1 && !fields.getFirst().options().isEmpty());
  }

  /** What the operator asks. */
  public String question() {
    return switch (Objects.requireNonNull(request).operator()) {
      case SemanticFilter filter -> filter.condition();
      case SemanticMap map -> map.instruction();
      case Object other -> other.toString();
    };
  }

  /** The document, a field per line. */
  public String document() {
    JsonNode fields = Objects.requireNonNull(Objects.requireNonNull(request).document()).toJson();
    StringBuilder text = new StringBuilder();
    fields
        .properties()
        .forEach(field -> {
          JsonNode value = field.getValue();
          text.append(field.getKey())
              .append(": ")
              .append(value.isTextual() ? value.asText() : value.toPrettyString())
              .append('\n');
        });
    return text.toString();
  }
}
