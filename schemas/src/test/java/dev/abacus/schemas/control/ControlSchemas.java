package dev.abacus.schemas.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * The Avro schemas for writing values of the control topic, from the resource {@code control.avsc}.
 * Reading accepts every schema with the same structure.
 */
public final class ControlSchemas {

  private static final Map<String, Schema> BY_NAME = load();

  private ControlSchemas() {}

  /** The schema of the values of a key. */
  public static Schema of(ControlKey key) {
    return switch (key) {
      case ControlKey.ProgramKey _ -> named("Program");
      case ControlKey.ObjectiveKey _ -> named("Objective");
      case ControlKey.BudgetKey _ -> named("Budget");
      case ControlKey.PinKey _ -> named("PhysicalOperator");
      case ControlKey.PausedKey _ -> Schema.create(Schema.Type.BOOLEAN);
      case ControlKey.ReoptimizeKey _ -> Schema.create(Schema.Type.STRING);
      case ControlKey.PlanKey _ -> named("Plan");
      case ControlKey.ActiveKey _ -> named("Activation");
    };
  }

  private static Schema named(String name) {
    return Objects.requireNonNull(BY_NAME.get(name), name);
  }

  private static Map<String, Schema> load() {
    try (InputStream resource =
        Objects.requireNonNull(ControlSchemas.class.getResourceAsStream("control.avsc"))) {
      return new Schema.Parser()
          .parse(resource).getTypes().stream()
              .collect(Collectors.toUnmodifiableMap(Schema::getName, Function.identity()));
    } catch (IOException e) {
      throw new UncheckedIOException("the resource control.avsc cannot be read", e);
    }
  }
}
