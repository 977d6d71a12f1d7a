package dev.abacus.deploy.cli.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.TopicOptions;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus apply}. */
@Command(
    name = "apply",
    description = {
      "Apply a program: workers start it, the optimizer searches a plan.",
      "Prints what changes if a program of the name is in force already."
    },
    footer = "  abacus apply program.yaml --bootstrap-server localhost:9092 --create-topics")
public final class ApplyCommand implements Runnable {

  @Mixin private ProgramFile file = new ProgramFile();

  @Option(names = "--create-topics", description = "Create missing topics.")
  private boolean createTopics;

  @Option(names = "--dry-run", description = "Check and print what would change; change nothing.")
  private boolean dryRun;

  @Mixin private TopicOptions topics = new TopicOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Program program = file.read();
    var control = kafka.control(file.catalogue());
    KafkaConnection connection = kafka.connection();
    TopicCreation creation = topics.creation();
    connection.requireAccess(Role.APPLY, List.of(program));
    if (createTopics) {
      connection.requireAccess(Role.TOPICS_CREATE, List.of(program));
      if (!dryRun) {
        creation.createShared(connection);
        creation.create(connection, program);
      }
    } else {
      connection.requireTopics(program.sources().stream().map(Source::topic).toList(), file.path());
    }
    ControlState state = control.read();
    ProgramOptions.checkTopics(
        program, state.programs().stream().map(state::require).toList(), connection.names());
    ResultSchemaCheck schema = ResultSchemaCheck.of(program, kafka.settings());
    ProgramChange change = ProgramChange.of(state.program(program.name()), program);
    boolean changed = !dryRun && control.apply(state, program);
    List<String> overrides = overrides(program, state);
    List<String> lines = new ArrayList<>();
    lines.add(
        program.name()
            + (dryRun
                ? " would be applied"
                : changed ? " is applied" : " is applied already, without a change"));
    if (dryRun || changed) {
      ControlRecord.Activated active = state.active(program.name());
      change.lines(active == null ? null : active.epoch()).forEach(line -> lines.add("  " + line));
    }
    schema.lines().forEach(line -> lines.add("  " + line));
    overrides.forEach(override -> lines.add("  " + override));
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("applied", program.name())
            .put("changed", changed)
            .put("change", change.name());
    change.sampledAgain().forEach(json.putArray("sampledAgain")::add);
    overrides.forEach(json.putArray("overrides")::add);
    output.data(json.set("resultSchema", Json.tree(schema.data())), lines);
  }

  /** The control records that take precedence over the file. */
  private static List<String> overrides(Program applied, ControlState state) {
    String program = applied.name();
    List<String> overrides = new ArrayList<>();
    for (ControlRecord record : state.records().values()) {
      if (record.key().program().equals(program)) {
        String path = record.key().path();
        switch (record) {
          case ControlRecord.ObjectiveSet set ->
              overrides.add(
                  "the record %s overrides the objective of the file: %s; `abacus objective %s --clear` removes it"
                      .formatted(path, set.objective(), program));
          case ControlRecord.BudgetSet _ ->
              overrides.add(
                  "the record %s overrides the budget of the file; `abacus budget %s --clear` removes it"
                      .formatted(path, program));
          case ControlRecord.Pinned pinned
              when PlanCheck.examplesMistake(pinned.physical(), applied) != null ->
              overrides.add(
                  "the record %s has no effect: %s; `abacus plan unpin %s %s` removes it"
                      .formatted(
                          path,
                          PlanCheck.examplesMistake(pinned.physical(), applied),
                          program,
                          pinned.operator()));
          case ControlRecord.Pinned pinned ->
              overrides.add(
                  "the record %s fixes '%s' to %s; `abacus plan unpin %s %s` removes it"
                      .formatted(
                          path,
                          pinned.operator(),
                          pinned.physical().id(),
                          program,
                          pinned.operator()));
          case ControlRecord.Paused paused when paused.paused() ->
              overrides.add(
                  "the record %s pauses the program; `abacus resume %s` removes it"
                      .formatted(path, program));
          case ControlRecord.Paused _,
              ControlRecord.ProgramSet _,
              ControlRecord.Reoptimize _,
              ControlRecord.PlanPublished _,
              ControlRecord.Activated _ -> {
            // These do not contradict the file.
          }
        }
      }
    }
    return overrides;
  }
}
