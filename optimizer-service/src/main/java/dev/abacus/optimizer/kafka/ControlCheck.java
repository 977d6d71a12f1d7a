package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.TopicCheck;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks records of the control topic against the programs: the commands that write such records
 * refuse the same.
 */
record ControlCheck(KafkaSettings settings) {

  /**
   * Why a record does not fit what it names.
   *
   * @param program of the record; null if it is not known
   * @param programs all programs
   * @param isNew whether the record follows those that were there at the start
   * @return null if the record fits, or if that is not known
   */
  @Nullable String mistake(
      LoopEvent event, @Nullable Program program, List<Program> programs, boolean isNew) {
    if (event instanceof LoopEvent.ControlSet(ControlRecord.ProgramSet(Program set))) {
      return TopicCheck.mistake(set, programs, settings.names());
    }
    if (program != null && event instanceof LoopEvent.ControlSet(ControlRecord.Pinned pinned)) {
      return mistake(pinned, program);
    }
    if (program != null
        && event instanceof LoopEvent.ControlSet(ControlRecord.PlanPublished(PhysicalPlan plan))) {
      ModelCatalogue catalogue = settings.loop().catalogue();
      String mistake = PlanCheck.mistake(plan, program, model -> catalogue.find(model) != null);
      // Plans that are older than a ban of examples stay known: their documents need them.
      return mistake != null
          ? "the plan does not fit the program: " + mistake
          : isNew ? PlanCheck.examplesMistake(plan, program) : null;
    }
    return null;
  }

  /** Why an implementation cannot be pinned. */
  private @Nullable String mistake(ControlRecord.Pinned pinned, Program program) {
    String banned = PlanCheck.examplesMistake(pinned.physical(), program);
    if (banned != null) {
      return banned;
    }
    List<String> implementations =
        settings
            .loop()
            .searchSpace()
            .apply(program)
            .getOrDefault(pinned.operator(), List.of())
            .stream()
            .map(PhysicalOperator::id)
            .toList();
    String id = pinned.physical().id();
    if (implementations.isEmpty() || implementations.contains(id)) {
      return null; // the loop says what is wrong with an operator that has no implementations
    }
    String nearest = NameSuggestions.closest(id, implementations);
    return "'%s' is not an implementation of '%s'%s"
        .formatted(
            id, pinned.operator(), nearest == null ? "" : "; did you mean '" + nearest + "'?");
  }
}
