package dev.abacus.optimizer.rule.implementation;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static dev.abacus.optimizer.Given.project;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.schemas.model.ModelCard;
import dev.abacus.schemas.model.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.junit.jupiter.api.Test;

class SearchSpaceTest {

  private static final ModelCatalogue CATALOGUE = ModelCatalogue.builtIn();
  private static final Program PROGRAM =
      program(filter("f", "a"), map("m", "a"), project("p", "m"));

  @Test
  void everyModelAloneAndEveryModelOverEveryChoiceOfChunks() {
    Program two = withModels(PROGRAM, "gpt-4o", "gpt-5-nano");
    SearchSpace space = SearchSpace.of(two, CATALOGUE);
    assertThat(space.byRule().keySet()).containsExactly("f", "m", "p");
    assertThat(space.rules("m").keySet())
        .containsExactly("ImplementMapWithModelSelection", "ImplementMapWithReducedContext");
    assertThat(space.rules("f").keySet())
        .containsExactly("ImplementFilterWithModelSelection", "ImplementFilterWithReducedContext");
    assertThat(space.rules("m").get("ImplementMapWithReducedContext")).hasSize(2 * 9);
    assertThat(space.of("m"))
        .hasSize(2 + 2 * 9)
        .startsWith(new PhysicalOperator.ModelSelection("gpt-4o"))
        .contains(new PhysicalOperator.ReducedContext("gpt-5-nano", "all-minilm-l6-v2", 4000, 4))
        .doesNotHaveDuplicates();
    assertThat(space.of("f")).isEqualTo(space.of("m"));
    assertThat(space.of("p")).containsExactly(new PhysicalOperator.Relational());
    assertThat(space.union().keySet()).containsExactly("f", "m", "p");
  }

  @Test
  void aProgramThatNamesNoModelsHasAllChatModels() {
    int chat = CATALOGUE.ofKind(ModelCard.Kind.CHAT).size();
    List<String> embedders = List.of("all-minilm-l6-v2", "text-embedding-3-small");
    SearchSpace space = SearchSpace.of(PROGRAM, CATALOGUE, embedders);
    assertThat(space.of("m")).hasSize(chat + chat * 2 * 9);
    assertThat(SearchSpace.of(PROGRAM, CATALOGUE, embedders)).isEqualTo(space);
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
    return new Program(
        program.name(),
        program.sources(),
        program.references(),
        program.operators(),
        program.results(),
        program.objective(),
        program.budget(),
        program.spending(),
        program.validation(),
        List.of(models),
        program.judge(),
        program.ordering());
  }
}
