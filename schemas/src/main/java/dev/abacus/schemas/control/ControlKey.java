package dev.abacus.schemas.control;

import java.util.Arrays;

/** The record key of a desired state on the control topic, such as {@code pin/triage/classify}. */
public sealed interface ControlKey {

  /** Name of the program. */
  String program();

  record ProgramKey(String program) implements ControlKey {}

  record ObjectiveKey(String program) implements ControlKey {}

  record BudgetKey(String program) implements ControlKey {}

  record PinKey(String program, String operator) implements ControlKey {}

  record PausedKey(String program) implements ControlKey {}

  record ReoptimizeKey(String program) implements ControlKey {}

  record PlanKey(String program, long epoch) implements ControlKey {}

  record ActiveKey(String program) implements ControlKey {}

  /** The record key, which {@link #parse} reads. */
  default String path() {
    return switch (this) {
      case ProgramKey key -> "program/" + key.program();
      case ObjectiveKey key -> "objective/" + key.program();
      case BudgetKey key -> "budget/" + key.program();
      case PinKey key -> "pin/" + key.program() + "/" + key.operator();
      case PausedKey key -> "paused/" + key.program();
      case ReoptimizeKey key -> "reoptimize/" + key.program();
      case PlanKey key -> "plan/" + key.program() + "/" + key.epoch();
      case ActiveKey key -> "active/" + key.program();
    };
  }

  /**
   * Reads the form that {@link #path} writes.
   *
   * @throws IllegalArgumentException if the text is not a key; the message lists all forms
   */
  static ControlKey parse(String path) {
    String[] parts = path.split("/", -1);
    String last = parts[parts.length - 1];
    String shape = Arrays.stream(parts).anyMatch(String::isBlank) ? "" : parts[0] + parts.length;
    return switch (shape) {
      case "program2" -> new ProgramKey(last);
      case "objective2" -> new ObjectiveKey(last);
      case "budget2" -> new BudgetKey(last);
      case "pin3" -> new PinKey(parts[1], last);
      case "paused2" -> new PausedKey(last);
      case "reoptimize2" -> new ReoptimizeKey(last);
      case "plan3" -> new PlanKey(parts[1], epoch(last));
      case "active2" -> new ActiveKey(last);
      default ->
          throw new IllegalArgumentException(
              "'%s' is not a control key; there are program/<p>, objective/<p>, budget/<p>, pin/<p>/<operator>, paused/<p>, reoptimize/<p>, plan/<p>/<epoch> and active/<p>"
                  .formatted(path));
    };
  }

  private static long epoch(String text) {
    if (!text.matches("[1-9][0-9]{0,17}")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an epoch; epochs are numbers from 1");
    }
    return Long.parseLong(text);
  }
}
