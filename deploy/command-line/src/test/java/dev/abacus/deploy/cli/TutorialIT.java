package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of docs/tutorial.md over a running stack: each does what the page says. */
class TutorialIT {

  private static final Path ROOT = Path.of("../..");
  private static final Path SAMPLE = ROOT.resolve("deploy/examples/support-triage");
  private static final Path PAGE = ROOT.resolve("docs/tutorial.md");
  private static final String NAME = "support-triage";
  private static final double SPEED = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(500);

  @TempDir Path folder;

  @Test
  void theNewObjectiveIsMetMoreCheaplyAndOneThatNothingShowsMovesNothing() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(Files.readString(SAMPLE.resolve("program.yaml")));
    LocalStack.Settings settings =
        LocalStack.Settings.defaults()
            .withRegistry(false)
            .withSimulator(
                SimulatorOptions.DEFAULTS
                    .withAnswers(List.of(SAMPLE.resolve("answers.jsonl")))
                    .withSpeed(SPEED))
            .withPlanes(
                new PlaneSettings(Map.of(), Map.of(OptimizerConfig.PAGE_LISTENER, "127.0.0.1:0")));
    try (LocalStack stack = LocalStack.start(settings, _ -> {})) {
      stack.createTopics(program);
      ControlTopic control = new ControlTopic(stack.connection(), ModelCatalogue.builtIn());
      run(
          stack,
          "run",
          SAMPLE.resolve("program.yaml").toString(),
          "--documents",
          SAMPLE.resolve("documents.jsonl").toString(),
          "--validation",
          SAMPLE.resolve("validation.jsonl").toString(),
          "--results",
          folder.resolve("results.jsonl").toString());
      PhysicalPlan first = active(control);

      // Nothing that was sampled shows this quality with 90 %: a dearer plan has to be likelier to.
      PhysicalPlan strict = objective(stack, control, "minimize cost subject to quality >= 0.95");
      assertThat(strict.standing().verdict()).isNotEqualTo(Standing.Verdict.HOLDS);
      if (!strict.isChosen(first.choice()) && !isCheaper(strict, first)) {
        // A run that ends later gives the reason why another plan does not replace it.
        assertThat(reason(control))
            .containsPattern(
                "better (misses|not settled) \\(|the plan stays; the best other plan: ");
      }
      assertEverywhereTheSame(stack, control);

      PhysicalPlan cheap = objective(stack, control, ofThePage());
      // Here such a reason has the same words.
      assertThat(reason(control)).containsPattern("better (holds .*, )?cost \\$").contains("sure)");
      assertThat(cheap.epoch()).isGreaterThan(first.epoch());
      assertThat(isCheaper(cheap, first)).as("%s instead of %s", cheap, first).isTrue();
      assertThat(cheap.standing().verdict()).isEqualTo(Standing.Verdict.HOLDS);
      assertEverywhereTheSame(stack, control);

      // What is sampled under the new objective may settle more; the cost differs by chance at
      // most.
      PhysicalPlan settled = active(control);
      assertThat(settled.estimate().cost()).isLessThanOrEqualTo(1.1 * cheap.estimate().cost());

      run(stack, "plan", "rollback", NAME);
      assertThat(active(control).epoch()).isBetween(first.epoch(), settled.epoch());
    }
  }

  private static String reason(ControlTopic control) {
    return Objects.requireNonNull(control.read().active(NAME)).reason();
  }

  private static boolean isCheaper(PhysicalPlan plan, PhysicalPlan than) {
    return plan.estimate().cost() < than.estimate().cost();
  }

  /** The objective of the tutorial's step. */
  private static String ofThePage() throws IOException {
    Matcher step =
        Pattern.compile("abacus objective support-triage \"([^\"]+)\"")
            .matcher(Files.readString(PAGE));
    assertThat(step.find()).isTrue();
    return step.group(1);
  }

  private static PhysicalPlan objective(LocalStack stack, ControlTopic control, String text) {
    run(stack, "objective", NAME, text);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!active(control).objective().equals(ObjectiveParser.parse(text))) {
      assertThat(System.nanoTime()).as("decided").isLessThan(deadline);
      LockSupport.parkNanos(POLL.toNanos());
    }
    return active(control);
  }

  private static PhysicalPlan active(ControlTopic control) {
    ControlState state = control.read();
    ControlRecord.Activated active = Objects.requireNonNull(state.active(NAME));
    return Objects.requireNonNull(state.plan(NAME, active.epoch()));
  }

  /** The record of a plan changes with each run and document that tells more of it. */
  private static void assertEverywhereTheSame(LocalStack stack, ControlTopic control)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        assertEverywhereTheSame(stack, active(control));
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  /** Commands, status record, metric and the tabs of the page use the same word. */
  private static void assertEverywhereTheSame(LocalStack stack, PhysicalPlan plan)
      throws Exception {
    String word = plan.standing().word();
    assertThat(run(stack, "plan", "show", NAME)).contains("  " + word + ": ");
    assertThat(run(stack, "plan", "list", NAME).lines().filter(line -> line.startsWith("*")))
        .singleElement()
        .asString()
        .contains(word);
    assertThat(run(stack, "explain", SAMPLE.resolve("program.yaml").toString())).contains(word);
    JsonNode search =
        Json.read(
                run(stack, "status", NAME, "-o", "json").getBytes(StandardCharsets.UTF_8),
                JsonNode.class)
            .at("/programs/0/search");
    assertThat(search.at("/standing/verdict").asText())
        .isEqualTo(plan.standing().verdict().label());
    assertThat(search.at("/plan/standing/probability").asDouble())
        .isEqualTo(Objects.requireNonNull(plan.standing().probability()));
    assertThat(get(stack.pageUrl() + "metrics").lines())
        .anyMatch(line ->
            line.startsWith("abacus_search_plan_feasible")
                && line.endsWith(plan.feasible() ? " 1.0" : " 0.0"))
        .anyMatch(line -> line.startsWith("abacus_search_plan_probability"));
    assertThat(get(stack.pageUrl() + "health/ready")).contains("loop", "leads");
    String page = stack.pageUrl() + "programs/" + NAME;
    String sign = html(plan.standing().word());
    assertThat(get(page)).contains(sign);
    assertThat(get(page + "/plans").split(Pattern.quote(sign), -1).length)
        .as("the sliders' answer, the chosen plan and the history")
        .isGreaterThanOrEqualTo(4);
  }

  private static String html(String text) {
    return text.replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String get(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static String run(LocalStack stack, String... words) {
    Run run = Run.on(stack.connection().bootstrapServers(), words);
    assertThat(run.exit()).as("%s%n%s", List.of(words), run.err()).isZero();
    return run.out();
  }
}
