package dev.abacus.optimizer.api;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.join;
import static dev.abacus.optimizer.Given.manyMap;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static dev.abacus.optimizer.Given.project;
import static dev.abacus.optimizer.Given.rank;
import static dev.abacus.optimizer.Given.resolve;
import static dev.abacus.optimizer.Given.topK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.optimizer.search.rule.implementation.ImplementationRules;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SearchSpaceTest {

  private static final ModelCatalogue CATALOGUE = ModelCatalogue.builtIn();
  private static final Program PROGRAM =
      program(filter("f", "a"), map("m", "a"), project("p", "m"));

  private static final String[] SIX = {
    "gpt-4o", "gpt-4o-mini", "llama-3.1-8b", "llama-3.3-70b", "gpt-5-nano", "gpt-4.1"
  };

  @Test
  void sixModelsAndOneEmbedderMakeThePapersSpaceOfAMap() {
    SearchSpace space = SearchSpace.of(withModels(PROGRAM, SIX), CATALOGUE);
    for (String operator : List.of("m", "f")) {
      assertThat(space.rules(operator))
          .hasEntrySatisfying("ImplementWithModelSelection", has(6))
          .hasEntrySatisfying("ImplementWithReducedContext", has(54))
          .hasEntrySatisfying("ImplementWithCritiqueAndRefine", has(216))
          .hasEntrySatisfying("ImplementWithMixtureOfAgents", has(738));
      assertThat(space.ofPaper(operator)).hasSize(1014).doesNotHaveDuplicates();
      assertThat(space.of(operator)).hasSizeGreaterThan(1014).doesNotHaveDuplicates();
    }
  }

  @Test
  void anImplementationMixesTiersOnlyWhereAModelHasNoOther() {
    SearchSpace both =
        SearchSpace.of(
            withModels(PROGRAM, "gpt-5-nano", "gpt-5-nano@flex", "gpt-5-mini@flex", "gpt-4o-mini"),
            CATALOGUE);
    List<List<String>> called =
        both.of("m").stream().map(PhysicalOperator::chatModels).distinct().toList();

    assertThat(called)
        .contains(List.of("gpt-5-nano"), List.of("gpt-5-nano@flex"), List.of("gpt-4o-mini"))
        .noneMatch(models -> models.contains("gpt-5-nano") && models.contains("gpt-5-nano@flex"))
        .anyMatch(models -> models.contains("gpt-5-nano@flex") && models.contains("gpt-4o-mini"));
    assertThat(
            SearchSpace.of(withModels(PROGRAM, "gpt-5-nano@flex", "gpt-4o-mini"), CATALOGUE)
                .of("m"))
        .hasSameSizeAs(
            SearchSpace.of(withModels(PROGRAM, "gpt-5-nano", "gpt-4o-mini"), CATALOGUE).of("m"));
  }

  @Test
  void aProgramThatAllowsTiersHasEachImplementationOfModelsWithTheTierAtBoth() {
    Program program = withModels(PROGRAM, "gpt-5-nano", "gpt-5-mini", "gpt-4o-mini");
    Program tiers =
        program.withSettings(
            program
                .settings()
                .withModels(program.settings().models().withTiers(List.of("standard", "flex"))));
    List<String> standard =
        SearchSpace.of(program, CATALOGUE).of("m").stream().map(PhysicalOperator::id).toList();
    List<String> both =
        SearchSpace.of(tiers, CATALOGUE).of("m").stream().map(PhysicalOperator::id).toList();

    assertThat(both).containsAll(standard).hasSizeBetween(standard.size() + 1, 2 * standard.size());
    assertThat(both.stream().map(ServiceTier::withoutTiers).distinct())
        .containsExactlyInAnyOrderElementsOf(standard);
  }

  @Test
  void everyRuleEnumeratesItsGrid() {
    Program program =
        program(
            new Given.Spec(
                input -> new SemanticFilter("f", input, List.of("A", "B"), List.of("a"))),
            map("m", "a"),
            topK("k", "a"),
            rank("r", "k", "a"),
            resolve("e", "a"),
            join("j", "a"),
            project("p", "a"));
    SearchSpace space = SearchSpace.of(withModels(program, SIX), CATALOGUE);
    Map<String, Integer> both =
        Map.of(
            "ImplementWithModelSelection", 6,
            "ImplementWithReducedContext", 54,
            "ImplementWithCritiqueAndRefine", 216,
            "ImplementWithMixtureOfAgents", 738,
            "ImplementWithHeadAndTail", 12,
            "ImplementWithSplitAndMerge", 12,
            "ImplementWithCompressedContext", 30,
            "ImplementWithTupleBatch", 12,
            "ImplementWithFewShot", 18);
    assertThat(counts(space, "f"))
        .containsAllEntriesOf(both)
        .containsEntry("ImplementFilterWithConditions", 6)
        .containsEntry("ImplementWithLearnedCascade", 12)
        .containsEntry("ImplementWithModelCascade", 6)
        // Five models in steps, and gpt-5-nano with little or much effort.
        .containsEntry("ImplementWithReasoning", 7)
        .hasSize(13);
    assertThat(counts(space, "m"))
        .containsAllEntriesOf(both)
        .containsEntry("ImplementMapWithGleaning", 12)
        .containsEntry("ImplementWithReasoning", 7)
        .hasSize(11);
    assertThat(counts(space, "k")).isEqualTo(Map.of("ImplementTopKWithSearch", 7));
    assertThat(counts(space, "r"))
        .isEqualTo(
            Map.of(
                "ImplementRankWithGrades", 6,
                "ImplementRankWithWindows", 12,
                "ImplementRankWithComparisons", 6));
    assertThat(counts(space, "e"))
        .isEqualTo(Map.of("ImplementResolutionWithPairs", 12, "ImplementResolutionWithChoice", 12));
    assertThat(counts(space, "j"))
        .isEqualTo(
            Map.of(
                "ImplementJoinWithNestedLoops", 6,
                "ImplementJoinWithEmbeddings", 6,
                "ImplementJoinWithReasoning", 7,
                "ImplementJoinWithFewShot", 12,
                "ImplementJoinWithChoice", 18));
    assertThat(counts(space, "p")).isEqualTo(Map.of("ImplementRelational", 1));
  }

  private static Map<String, Integer> counts(SearchSpace space, String operator) {
    Map<String, Integer> counts = new HashMap<>();
    space.rules(operator).forEach((rule, found) -> counts.put(rule, found.size()));
    return counts;
  }

  @Test
  void everyRuleIsListedOnceUnderItsName() {
    assertThat(ImplementationRules.ALL)
        .extracting(ImplementationRule::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.startsWith("Implement"));
  }

  @Test
  void eightModelsMakeTwentyEightHundred() {
    List<String> models =
        CATALOGUE.ofKind(ModelCard.Kind.CHAT).stream().map(ModelCard::name).limit(8).toList();
    SearchSpace space =
        SearchSpace.of(withModels(PROGRAM, models.toArray(String[]::new)), CATALOGUE);
    assertThat(space.ofPaper("m")).hasSize(2800);
  }

  @Test
  void operatorsHaveTheImplementationsOfTheirKind() {
    Program program = program(topK("k", "a"), join("j", "k"), manyMap("m", "j"), project("p", "m"));
    SearchSpace space = SearchSpace.of(withModels(program, "gpt-4o", "gpt-5-nano"), CATALOGUE);
    assertThat(space.byRule().keySet()).containsExactly("k", "j", "m", "p");
    assertThat(space.of("k")).hasSize(7).startsWith(new TopKSearch("all-minilm-l6-v2", 1));
    assertThat(space.of("j"))
        .containsExactly(
            new NestedLoopsJoin("gpt-4o"),
            new NestedLoopsJoin("gpt-5-nano"),
            new EmbeddingJoin("gpt-4o", "all-minilm-l6-v2", null, null),
            new EmbeddingJoin("gpt-5-nano", "all-minilm-l6-v2", null, null),
            new NestedLoopsJoin("gpt-4o", Reasoning.STEPS),
            new NestedLoopsJoin("gpt-5-nano", Reasoning.LOW),
            new NestedLoopsJoin("gpt-5-nano", Reasoning.HIGH),
            new NestedLoopsJoin("gpt-4o", null, 4, null),
            new EmbeddingJoin("gpt-4o", "all-minilm-l6-v2", null, null, 4, null),
            new NestedLoopsJoin("gpt-5-nano", null, 4, null),
            new EmbeddingJoin("gpt-5-nano", "all-minilm-l6-v2", null, null, 4, null),
            new ChoiceJoin("gpt-4o", "all-minilm-l6-v2", 10),
            new ChoiceJoin("gpt-4o", "all-minilm-l6-v2", 30),
            new ChoiceJoin("gpt-4o", "all-minilm-l6-v2", 100),
            new ChoiceJoin("gpt-5-nano", "all-minilm-l6-v2", 10),
            new ChoiceJoin("gpt-5-nano", "all-minilm-l6-v2", 30),
            new ChoiceJoin("gpt-5-nano", "all-minilm-l6-v2", 100));
    assertThat(space.rules("m")).doesNotContainKey("ImplementWithTupleBatch");
    assertThat(space.of("p")).containsExactly(new Relational());
    assertThat(space.union().keySet()).containsExactly("k", "j", "m", "p");
  }

  @Test
  void aConjunctiveFilterMayBeTakenApart() {
    Program program =
        program(
            new Given.Spec(input -> new SemanticFilter("f", input, List.of("A", "B"), List.of())));
    assertThat(SearchSpace.of(program, CATALOGUE).rules("f"))
        .containsKey("ImplementFilterWithConditions");
    assertThat(SearchSpace.of(PROGRAM, CATALOGUE).rules("f"))
        .doesNotContainKey("ImplementFilterWithConditions");
  }

  @Test
  void aFilterWithAConditionInCodeHasNoCascades() {
    WhereExpression where = WhereExpression.compile("doc.amount > 1");
    Program program =
        program(
            new Given.Spec(
                input -> new SemanticFilter("f", input, List.of("A"), List.of(), where, null)));

    assertThat(SearchSpace.of(PROGRAM, CATALOGUE).of("f"))
        .anyMatch(PhysicalOperator.Learnable.class::isInstance);
    assertThat(SearchSpace.of(program, CATALOGUE).of("f"))
        .isNotEmpty()
        .noneMatch(PhysicalOperator.Learnable.class::isInstance)
        .noneMatch(FewShot.class::isInstance);
  }

  @Test
  void aProgramThatKeepsExamplesOutOfPromptsHasNoImplementationThatShowsThem() {
    SearchSpace with = SearchSpace.of(PROGRAM, CATALOGUE);
    SearchSpace without = SearchSpace.of(PROGRAM.withFewShot(false), CATALOGUE);

    assertThat(with.of("m")).anyMatch(one -> one.examples() > 0);
    assertThat(without.of("m")).isNotEmpty().allMatch(one -> one.examples() == 0);
    assertThat(without.rules("m")).doesNotContainKey("ImplementWithFewShot");
  }

  @Test
  void aProgramThatNamesNoModelsHasAllChatModels() {
    int chat = CATALOGUE.ofKind(ModelCard.Kind.CHAT).size();
    List<String> embedders = List.of("all-minilm-l6-v2", "text-embedding-3-small");
    SearchSpace space = SearchSpace.of(PROGRAM, CATALOGUE, embedders);
    assertThat(space.rules("m"))
        .hasEntrySatisfying("ImplementWithModelSelection", has(chat))
        .hasEntrySatisfying("ImplementWithReducedContext", has(chat * 2 * 9));
    assertThat(SearchSpace.of(PROGRAM, CATALOGUE, embedders)).isEqualTo(space);
  }

  private static Consumer<List<PhysicalOperator>> has(int size) {
    return found -> assertThat(found).hasSize(size).doesNotHaveDuplicates();
  }

  @Test
  void modelsMustBeInTheCatalogueAndOfTheRightKind() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SearchSpace.of(withModels(PROGRAM, "gpt-9"), CATALOGUE))
        .withMessageContaining("gpt-9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SearchSpace.of(withModels(PROGRAM, "all-minilm-l6-v2"), CATALOGUE))
        .withMessageContaining("chat");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SearchSpace.of(PROGRAM, CATALOGUE, List.of("gpt-4o")))
        .withMessageContaining("embedding");
  }

  private static Program withModels(Program program, String... models) {
    return program.withSettings(
        program.settings().withModels(program.settings().models().withAllowed(List.of(models))));
  }
}
