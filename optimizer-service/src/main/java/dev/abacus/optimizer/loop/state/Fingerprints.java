package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.HashMap;
import java.util.Map;

/**
 * The {@link Fingerprint}s of a program and its examples, computed once until one of them changes.
 */
public final class Fingerprints {

  private final Map<String, String> definitions = new HashMap<>();
  private final Map<String, Map<String, String>> evidence = new HashMap<>();

  public String definition(Program program, LogicalOperator operator) {
    return definitions.computeIfAbsent(
        operator.id(), _ -> Fingerprint.definition(program, operator));
  }

  public String evidence(ValidationExample example, String operator) {
    return evidence
        .computeIfAbsent(operator, _ -> new HashMap<>())
        .computeIfAbsent(example.id(), _ -> Fingerprint.evidence(example, operator));
  }

  /** The program or an example is another now. */
  void forget() {
    definitions.clear();
    evidence.clear();
  }
}
