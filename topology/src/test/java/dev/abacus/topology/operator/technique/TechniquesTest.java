package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static dev.abacus.topology.model.ScriptedModelClient.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Techniques that ask several models or one model several times. */
class TechniquesTest extends TechniqueFixture {

  private static PhysicalOperator mixture(String... proposers) {
    return new MixtureOfAgents(List.of(proposers), 0.4, "z");
  }

  @Test
  void theAggregatorSeesTheDocumentAndAllValidProposals() throws InterruptedException {
    ByModel models =
        new ByModel()
            .says("a", "{\"title\": \"A</proposal>\", \"names\": []}", 2)
            .fails("b")
            .says("c", "{\"title\": \"C\", \"names\": [\"x\"]}", 1)
            .says("z", "{\"title\": \"Z\", \"names\": [\"x\"]}", 0.5);
    OperatorOutcome outcome = run(MAP, mixture("a", "b", "c"), models);
    assertThat(kept(outcome).get("title").asText()).isEqualTo("Z");
    assertThat(outcome.stats().cost()).isCloseTo(0.03, within(1e-9));
    assertThat(outcome.stats().latency()).as("slowest + aggregator").isEqualTo(9.5);
    assertThat(outcome.stats().calls()).isEqualTo(4);
    assertThat(models.asked("z"))
        .startsWith("<document>\n<field name=\"text\">Ann met Bob.</field>\n</document>\n")
        .contains("<proposal n=\"1\">\n{\"title\":\"A<\\/proposal>\",\"names\":[]}\n</proposal>")
        .contains("<proposal n=\"2\">\n{\"title\":\"C\",\"names\":[\"x\"]}\n</proposal>")
        .contains("<step>");
    ModelRequest proposal = Objects.requireNonNull(models.requests.get("a"));
    ModelRequest choice = Objects.requireNonNull(models.requests.get("z"));
    assertThat(proposal.options().temperature()).isEqualTo(0.4);
    assertThat(choice.options().temperature()).isZero();
    assertThat(choice.system()).as("one cache entry").isEqualTo(proposal.system());
    assertThat(choice.responseSchema()).isEqualTo(proposal.responseSchema());
  }

  @Test
  void withoutAProposalTheOperatorFails() throws InterruptedException {
    OperatorOutcome outcome = run(MAP, mixture("a", "b"), new ByModel().fails("a").fails("b"));
    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(((OperatorOutcome.Failed) outcome).failure().message()).contains("no a");
    assertThat(outcome.stats().calls()).isEqualTo(2);
  }

  @Test
  void proposersAreAskedAtTheSameTime() throws InterruptedException {
    CyclicBarrier together = new CyclicBarrier(3);
    ModelClient models =
        request -> {
          if (!request.model().equals("z")) {
            try {
              together.await();
            } catch (java.util.concurrent.BrokenBarrierException e) {
              throw new IllegalStateException(e);
            }
          }
          return say(EMPTY).answer(request);
        };
    kept(run(MAP, mixture("a", "b", "c"), models));
  }

  @Test
  void theRefinerSeesDraftAndCritique() throws InterruptedException {
    ByModel models =
        new ByModel()
            .says("g", EMPTY, 1)
            .says("c", "{\"critique\": \"names: Ann </critique> is missing\"}", 1)
            .says("r", "{\"title\": \"R\", \"names\": [\"Ann\"]}", 1);
    OperatorOutcome outcome = run(MAP, new CritiqueAndRefine("g", "c", "r"), models);
    assertThat(kept(outcome).get("title").asText()).isEqualTo("R");
    assertThat(outcome.stats()).isEqualTo(new ExecutionStats(0.03, 3, 3));
    assertThat(models.asked("c")).contains("<draft>\n{\"title\":\"T\",\"names\":[]}\n</draft>");
    assertThat(Objects.requireNonNull(models.requests.get("c")).system())
        .contains("critique")
        .endsWith("</fields>");
    assertThat(models.asked("r"))
        .contains("</draft>\n<critique>\nnames: Ann <\\/critique> is missing\n</critique>\n<step>");
  }

  @Test
  void gleaningAddsTheSecondAnswerToTheFirst() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(
            say("{\"title\": \"T\", \"names\": [\"Ann\"]}"),
            say("{\"missing\": [\"names: Bob\"]}"),
            say("{\"title\": \"\", \"names\": [\"Bob\", \"ann \"]}"),
            say("{\"missing\": []}"));
    OperatorOutcome outcome = run(MAP, new Gleaning("m", "c", 5), model);
    assertThat(kept(outcome).get("names").toString()).isEqualTo("[\"Ann\",\"Bob\"]");
    assertThat(kept(outcome).get("title").asText()).isEqualTo("T");
    assertThat(outcome.stats().calls()).isEqualTo(4);
    assertThat(words(model.requests().get(2))).contains("<missing>\n- names: Bob\n</missing>");
  }

  @Test
  void gleaningStopsIfARoundAddsNothing() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(say(EMPTY), say("{\"missing\": [\"names\"]}"), say(EMPTY));
    kept(run(MAP, new Gleaning("m", "c", 5), model));
  }

  @Test
  void theBeginningAndTheEndOfALongTextAreShown() throws InterruptedException {
    Document text = DOCUMENT.with("text", TextNode.valueOf("one two three four five six"));
    ScriptedModelClient model = new ScriptedModelClient(say(EMPTY), say(EMPTY));
    runtime.execute(MAP, new HeadAndTail("m", 10), text, model);
    assertThat(words(model.requests().getFirst())).contains(">one t\n…\ne six</field>");
    runtime.execute(MAP, new HeadAndTail("m", 27), text, model);
    assertThat(words(model.requests().getLast())).contains("one two three four five six");
  }

  @Test
  void theSecondModelSeesOnlyTheCopiedPassages() throws InterruptedException {
    ByModel models =
        new ByModel().says("c", "{\"passages\": [\"met\", \" \", \"Bob\"]}", 1).says("m", EMPTY, 1);
    kept(run(MAP, new CompressedContext("c", "m"), models));
    assertThat(models.asked("c")).contains("Ann met Bob.");
    assertThat(models.asked("m"))
        .contains("<field name=\"excerpts\">met\n…\nBob</field>")
        .doesNotContain("Ann");
  }

  @Test
  void conditionsAreAskedOneByOneUntilOneDoesNotHold() throws InterruptedException {
    PhysicalOperator technique = new ConditionByCondition("m");
    ScriptedModelClient no = new ScriptedModelClient(say("{\"satisfied\": false}"));
    assertThat(run(FILTER, technique, no)).isInstanceOf(OperatorOutcome.Dropped.class);
    ScriptedModelClient yes = ScriptedModelClient.always(say("{\"satisfied\": true}"));
    assertThat(run(FILTER, technique, yes)).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(yes.requests()).hasSize(2);
    assertThat(words(yes.requests().getLast()))
        .contains("</document>\n<condition>\nIt is round.\n</condition>");
    assertThat(yes.requests().getFirst().system())
        .as("the document is read from the cache for the second condition")
        .isEqualTo(yes.requests().getLast().system());
    assertThat(run(MAP, technique, yes)).isInstanceOf(OperatorOutcome.Failed.class);
  }

  @Test
  void aOneToManyMapMakesAnyNumberOfDocuments() throws InterruptedException {
    SemanticMap many =
        new SemanticMap(
            "p", "in", "Each person.", List.of("text"), List.of(TITLE), Cardinality.MANY);
    ScriptedModelClient model =
        new ScriptedModelClient(
            say("{\"outputs\": [{\"title\": \"Ann\"}, {\"title\": \"Bob\"}]}"),
            say("{\"outputs\": []}"),
            say("{\"outputs\": [{\"title\": 1}]}"),
            say("{\"outputs\": [{\"title\": \"Ann\"}]}"));
    PhysicalOperator call = new ModelSelection("m");
    OperatorOutcome two = run(many, call, model);
    assertThat(((OperatorOutcome.Kept) two).documents())
        .containsExactly(
            DOCUMENT.with("title", TextNode.valueOf("Ann")),
            DOCUMENT.with("title", TextNode.valueOf("Bob")));
    OperatorPrompt<?> question = Objects.requireNonNull(OperatorPrompt.of(many));
    assertThat(question.output(two)).hasToString("{\"title\":[\"Ann\",\"Bob\"]}");
    assertThat(((OperatorOutcome.Kept) run(many, call, model)).documents()).isEmpty();
    assertThat(((OperatorOutcome.Kept) run(many, call, model)).documents()).hasSize(1);
    assertThat(words(model.requests().getLast())).contains("outputs[0].title: must be a string");
  }

  @Test
  void severalFieldsAndSeveralConditionsAreOneCall() throws InterruptedException {
    SemanticMap map =
        new SemanticMap(
            "map",
            "in",
            "1. Find the title.\n2. Find the names.",
            List.of("text"),
            List.of(TITLE, NAMES));
    ScriptedModelClient model =
        new ScriptedModelClient(
            say("{\"title\": \"T\", \"names\": [\"Ann\"]}"), say("{\"satisfied\": false}"));
    PhysicalOperator call = new ModelSelection("m");
    assertThat(kept(run(map, call, model)).fieldNames())
        .containsExactly("id", "text", "title", "names");
    assertThat(run(FILTER, call, model)).isInstanceOf(OperatorOutcome.Dropped.class);
    assertThat(model.requests().getLast().system())
        .endsWith("<condition>\nAll of these hold:\n- It is red.\n- It is round.\n</condition>");
  }
}
