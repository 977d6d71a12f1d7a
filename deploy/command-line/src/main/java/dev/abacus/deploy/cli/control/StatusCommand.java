package dev.abacus.deploy.cli.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.report.Amounts;
import dev.abacus.deploy.cli.report.InstanceLines;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.report.PromiseLines;
import dev.abacus.deploy.cli.report.SearchProgress;
import dev.abacus.deploy.cli.report.WaitLines;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.kafka.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus status}. */
@Command(
    name = "status",
    description = "Show programs, plans, instances and searches.",
    footer = "  abacus status support-triage -o json")
public final class StatusCommand implements Runnable {

  @Parameters(arity = "0..1", paramLabel = "PROGRAM", description = "One program (default: all).")
  private @Nullable String program;

  @Option(
      names = "--all",
      description = "Also instances that have not reported for a minute, with their age.")
  private boolean all;

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    ModelCatalogue catalogue = programs.catalogue();
    kafka.connection().requireAccess(Role.STATUS, List.of());
    ControlState state = kafka.control(catalogue).read();
    StatusReports status = TopicReader.status(kafka.connection());
    List<String> names =
        program == null ? state.programs() : List.of(state.require(program).name());
    List<String> unapplied =
        program == null
            ? InstanceLines.unapplied(status.instances(), names, Instant.now())
            : List.of();
    if (output.json()) {
      ObjectNode answer = JsonNodeFactory.instance.objectNode();
      var list = answer.putArray("programs");
      names.forEach(name -> list.add(json(name, state, status)));
      unapplied.forEach(answer.putArray("unapplied")::add);
      output.value(answer);
      return;
    }
    if (names.isEmpty()) {
      output.line("no program is applied");
    }
    names.forEach(name -> print(name, state, status));
    unapplied.forEach(output::wrapped);
  }

  private ObjectNode json(String name, ControlState state, StatusReports status) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("program", name);
    node.put("paused", state.paused(name));
    node.set("objective", Json.tree(state.objective(state.require(name))));
    ControlRecord.Activated active = state.active(name);
    node.set("active", active == null ? null : Json.tree(active));
    node.set("pins", Json.tree(state.pins(name)));
    ArrayNode refused = node.putArray("refused");
    state
        .refused(name)
        .forEach(rejection ->
            ((ObjectNode) refused.addObject().setAll((ObjectNode) Json.tree(rejection)))
                .put("inForce", state.inForce(rejection)));
    var instances = node.putArray("instances");
    instances(name, status).forEach(instance -> instances.add(Json.tree(instance)));
    JsonNode search = status.optimizer(name);
    node.set("search", search);
    PromiseReport promise = PromiseReport.find(search);
    if (promise != null) {
      node.set("promised", Json.tree(promise.promised()));
      node.set("measured", Json.tree(promise.measured()));
    }
    node.set("governor", status.governor(name));
    return node;
  }

  private void print(String name, ControlState state, StatusReports status) {
    ControlRecord.Activated active = state.active(name);
    output.wrapped(
        "%s: %s%s; %s"
            .formatted(
                name,
                active == null ? "no plan yet" : PlanReport.activation(active),
                state.paused(name) ? ", paused" : "",
                state.objective(state.require(name))));
    if (active != null) {
      output.wrapped("  why: " + active.reason());
    }
    state
        .pins(name)
        .forEach((operator, pin) -> output.wrapped("  pinned: " + operator + "=" + pin.id()));
    state.refused(name).forEach(rejection -> output.wrapped("  " + describe(rejection, state)));
    List<InstanceStatus> shown = instances(name, status);
    List<InstanceStatus> hidden = new ArrayList<>(status.instances(name));
    hidden.removeAll(shown);
    InstanceLines.of(shown, hidden, Instant.now(), output.terminal()).forEach(output::line);
    shown.forEach(instance ->
        instance
            .references()
            .forEach(reference ->
                output.wrapped(
                    "  reference '%s' on %s: %,d of %,d items are embedded"
                        .formatted(
                            reference.reference(),
                            instance.instance(),
                            reference.ready(),
                            reference.items()))));
    Instant now = Instant.now();
    shown.forEach(
        instance -> WaitLines.of(instance, now).forEach(line -> output.wrapped("  " + line)));
    shown.forEach(this::printVersions);
    shown.forEach(this::printReuse);
    JsonNode search = status.optimizer(name);
    output.wrapped(
        search == null
            ? "  no optimizer has reported"
            : "  search: "
                + SearchProgress.of(search, active == null ? null : active.reason())
                + silence(search));
    SearchProgress.troubles(search).forEach(line -> output.wrapped("  " + line));
    Stream.of(
            SearchProgress.refused(search),
            SearchProgress.feedback(search, active != null && active.byUser()),
            SearchProgress.review(search))
        .filter(Objects::nonNull)
        .forEach(line -> output.wrapped("  " + line));
    PromiseReport promise = PromiseReport.find(search);
    if (promise != null) {
      PromiseLines.of(promise).forEach(line -> output.wrapped("  " + line));
    }
    LearningReport.describe(state.require(name), search)
        .forEach(line -> output.wrapped("  " + line));
    printGovernor(status, name);
  }

  /** The instances that report; with {@code --all}, those that did report too. */
  private List<InstanceStatus> instances(String name, StatusReports status) {
    return status.instances(name).stream()
        .filter(instance -> all || !isSilent(instance.at()))
        .toList();
  }

  private static boolean isSilent(Instant at) {
    return StatusReports.isSilent(at, Instant.now());
  }

  /** States that the optimizer has not reported for some time. */
  private static String silence(JsonNode search) {
    try {
      Instant at = Instant.parse(search.path("at").asText());
      return isSilent(at) ? "; no optimizer has reported since " + at : "";
    } catch (DateTimeParseException e) {
      return "";
    }
  }

  private static String describe(Rejection rejection, ControlState state) {
    String inForce = state.inForce(rejection);
    return "refused: %s: %s; in force: %s"
        .formatted(rejection.key(), rejection.reason(), inForce.isEmpty() ? "no value" : inForce);
  }

  /** The versions of a program while it changes from one to another. */
  private void printVersions(InstanceStatus instance) {
    List<InstanceStatus.VersionStatus> versions = instance.versions();
    boolean stopping = versions.size() == 1 && versions.getFirst().state().startsWith("stops");
    if (!isSilent(instance.at()) && (versions.size() > 1 || stopping)) {
      versions.forEach(version ->
          output.wrapped(
              "  version %d on %s: %s"
                  .formatted(version.version(), instance.instance(), version.state())));
    }
  }

  /** What the answer store saved. */
  private void printReuse(InstanceStatus instance) {
    AnswerReuse reuse = instance.reuse();
    if (reuse != null && reuse.requests() > 0) {
      output.wrapped(
          "  %s: %.1f %% of %,d requests answered from the store%s; saved %s, %,d tokens"
              .formatted(
                  instance.instance(),
                  100.0 * reuse.saved() / reuse.requests(),
                  reuse.requests(),
                  latest(reuse.operators()),
                  Amounts.usd(reuse.savedUsd()),
                  reuse.savedTokens()));
    }
  }

  /** The saved part of the latest requests of each operator; empty if there are none. */
  private static String latest(List<OperatorReuse> operators) {
    return operators.stream()
        .filter(operator -> operator.requests() > 0)
        .map(operator ->
            "'%s' %.1f %%"
                .formatted(operator.operator(), 100.0 * operator.saved() / operator.requests()))
        .reduce("%s, %s"::formatted)
        .map(" (of the latest: %s)"::formatted)
        .orElse("");
  }

  private void printGovernor(StatusReports status, String name) {
    JsonNode governor = status.governor(name);
    if (governor == null) {
      return;
    }
    status.instances(name).stream()
        .filter(instance -> instance.lag() != null)
        .max(Comparator.comparing(InstanceStatus::at))
        .ifPresent(instance -> output.wrapped("  waiting: %d documents".formatted(instance.lag())));
    double spent = governor.path("spending").path("spent").asDouble();
    if (governor.path("spending").path("window").asText().startsWith("2")) {
      output.wrapped(
          "  spent in this window: %s, %,d tokens"
              .formatted(Amounts.usd(spent), governor.path("spending").path("tokens").asLong()));
    }
    if (governor.hasNonNull("last")) {
      output.wrapped(
          "  governor, %s: %s"
              .formatted(
                  InstanceLines.ago(
                      Instant.parse(governor.path("movedAt").asText()), Instant.now()),
                  governor.path("last").asText()));
    }
  }
}
