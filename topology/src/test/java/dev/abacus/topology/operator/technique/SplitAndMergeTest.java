package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static dev.abacus.topology.model.ScriptedModelClient.words;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Long texts in parts whose answers are merged. */
class SplitAndMergeTest extends TechniqueFixture {

  private static final PhysicalOperator SPLIT = new SplitAndMerge("m", 10, "z");

  @Test
  void partsThatAgreeAreMergedWithoutACall() throws InterruptedException {
    Document text = DOCUMENT.with("text", TextNode.valueOf("one two three four five"));
    List<String> said = new ArrayList<>();
    ModelClient model =
        request -> {
          synchronized (said) {
            said.add(words(request));
          }
          String names = words(request).contains("four") ? "[\"Bob\", \"ann\"]" : "[\"Ann\"]";
          String title = words(request).contains("one") ? "\"T\"" : "null";
          return say("{\"title\": %s, \"names\": %s}".formatted(title, names)).answer(request);
        };
    OperatorOutcome outcome = runtime.execute(MAP, SPLIT, text, model);
    assertThat(kept(outcome).only(List.of("title", "names")).toJson().toString())
        .isEqualTo("{\"title\":\"T\",\"names\":[\"Ann\",\"Bob\"]}");
    assertThat(said).hasSize(3).anyMatch(prompt -> prompt.contains("part 2 of 3"));
    assertThat(outcome.stats().latency()).as("side by side").isEqualTo(0.5);
  }

  @Test
  void partsAreMeasuredInTheTokensOfTheModelThatReadsThem() throws InterruptedException {
    String words = "The chamber ordered that the costs be borne by the parties. ".repeat(200);
    TokenCounter tokens = TokenCounter.of(ModelCatalogue.builtIn());
    OperatorRuntime counting = new OperatorRuntime(Embedders.of(), tokens::tokenizer);
    for (String model : List.of("gpt-4o", "unheard-of")) {
      for (String text : List.of(words, "委员会命令由各方承担费用。".repeat(200))) {
        List<String> parts = Collections.synchronizedList(new ArrayList<>());
        ModelClient reader =
            request -> {
              parts.add(words(request));
              return say("{\"satisfied\": true}").answer(request);
            };
        PhysicalOperator split = new SplitAndMerge(model, 500, model);
        Document document = DOCUMENT.with("text", TextNode.valueOf(text));
        assertThat(kept(counting.execute(FILTER, split, document, reader))).isEqualTo(document);
        long whole = tokens.count(model, text).high();
        assertThat((long) parts.size()).isBetween((whole + 499) / 500, whole / 400 + 1);
        assertThat(parts)
            .map(part -> tokens.count(model, field(part)).high())
            .allMatch(count -> count <= 500);
      }
    }
  }

  private static String field(String prompt) {
    int from = prompt.indexOf("<field name=\"text\">") + "<field name=\"text\">".length();
    return prompt.substring(from, prompt.indexOf("</field>", from));
  }

  @Test
  void theMergerIsAskedOnlyAboutDisagreements() throws InterruptedException {
    Document text = DOCUMENT.with("text", TextNode.valueOf("one two three four"));
    List<ModelRequest> merging = new ArrayList<>();
    ModelClient model =
        request -> {
          if (request.model().equals("z")) {
            merging.add(request);
            return say("{\"title\": \"B\"}").answer(request);
          }
          String title = words(request).contains("one") ? "A" : "B";
          return say("{\"title\": \"" + title + "\", \"names\": []}").answer(request);
        };
    assertThat(kept(runtime.execute(MAP, SPLIT, text, model)).get("title").asText()).isEqualTo("B");
    assertThat(merging).hasSize(1);
    assertThat(words(merging.getFirst()).strip())
        .isEqualTo(
            "<part n=\"1\">\n{\"title\":\"A\"}\n</part>\n<part n=\"2\">\n{\"title\":\"B\"}\n</part>");
    assertThat(merging.getFirst().system()).contains("- title").doesNotContain("- names");
  }

  @Test
  void aDisagreementOfAFilterIsDecidedFromPartsOfBothSides() throws InterruptedException {
    Document text = DOCUMENT.with("text", TextNode.valueOf("one two three four five six"));
    List<ModelRequest> merging = new ArrayList<>();
    ModelClient model =
        request -> {
          if (request.model().equals("z")) {
            merging.add(request);
          }
          boolean yes = words(request).contains("one");
          return say("{\"satisfied\": " + yes + "}").answer(request);
        };
    assertThat(kept(runtime.execute(FILTER, SPLIT, text, model))).isEqualTo(text);
    assertThat(words(merging.getFirst()))
        .contains("one two", "<part n=\"2\">\n{\"satisfied\":false}\n</part>", "four")
        .doesNotContain("six");
  }

  /** A model that reads literally what each prompt shows. */
  @Test
  void aSplitFilterDecidesANegatedCondition() throws InterruptedException {
    SemanticFilter negated =
        new SemanticFilter("f", "in", List.of("The text does not mention Bob."), List.of("text"));
    Document with = DOCUMENT.with("text", TextNode.valueOf("one two three Bob five six"));
    Document without = DOCUMENT.with("text", TextNode.valueOf("one two three four five"));
    ModelClient model =
        request -> {
          String shown = words(request).replaceAll("(?s)<condition>.*?</condition>", "");
          return say("{\"satisfied\": %s}".formatted(!shown.contains("Bob"))).answer(request);
        };
    assertThat(runtime.execute(negated, SPLIT, with, model))
        .isInstanceOf(OperatorOutcome.Dropped.class);
    assertThat(kept(runtime.execute(negated, SPLIT, without, model))).isEqualTo(without);
    assertThat(runtime.execute(negated, new ConditionByCondition("m"), with, model))
        .isInstanceOf(OperatorOutcome.Dropped.class);
  }

  @Test
  void aPartThatFailsFailsTheDocument() throws InterruptedException {
    Document text = DOCUMENT.with("text", TextNode.valueOf("one two three four"));
    ModelClient model =
        request ->
            words(request).contains("one")
                ? say("{\"satisfied\": false}").answer(request)
                : fail(new ModelFailure.Declined("no")).answer(request);
    assertThat(runtime.execute(FILTER, SPLIT, text, model))
        .isInstanceOf(OperatorOutcome.Failed.class);
  }
}
