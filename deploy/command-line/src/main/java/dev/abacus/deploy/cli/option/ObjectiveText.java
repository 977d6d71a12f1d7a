package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;

/** Parses an objective that a user typed. */
public final class ObjectiveText {

  private ObjectiveText() {}

  /**
   * Parses one line such as {@code maximize quality subject to cost <= 0.002}.
   *
   * @throws CommandFailure with exit code 2 if the text is not an objective
   */
  public static Objective parse(String text) {
    return CommandFailure.checked(
        () -> ObjectiveParser.parse(text),
        "Write for instance \"maximize quality subject to cost <= 0.002\".");
  }
}
