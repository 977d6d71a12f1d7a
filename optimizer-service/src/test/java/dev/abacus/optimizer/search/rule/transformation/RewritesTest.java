package dev.abacus.optimizer.search.rule.transformation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.Given;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RewritesTest {

  private static Given.Spec conjunctive(String id, String... conditions) {
    return new Given.Spec(
        input -> new SemanticFilter(id, input, List.of(conditions), List.of("text")));
  }

  private static List<String> made(Given.Spec... specs) {
    return List.copyOf(Rewrites.derived(Given.program(specs)).keySet());
  }

  @Test
  void aConjunctiveFilterBecomesOneFilterPerConditionInALine() {
    Program program = Given.program(conjunctive("f", "It is red.", "It is round."));
    List<LogicalOperator> parts = Rewrites.sites(program).getFirst().instead();
    assertThat(parts)
        .containsExactly(
            new SemanticFilter("f.1", "documents", "It is red.", List.of("text")),
            new SemanticFilter("f.2", "f.1", "It is round.", List.of("text")));
    assertThat(made(Given.filter("f", "text"))).isEmpty();
  }

  @Test
  void neighbouringMapsBecomeOneIfNeitherNeedsTheOther() {
    Program program = Given.program(Given.map("a", "text"), Given.map("b", "title"));
    assertThat(Rewrites.sites(program).getFirst().instead())
        .singleElement()
        .satisfies(operator -> {
          SemanticMap fused = (SemanticMap) operator;
          assertThat(fused.id()).isEqualTo("a+b");
          assertThat(fused.input()).isEqualTo("documents");
          assertThat(fused.reads()).containsExactly("text", "title");
          assertThat(fused.writtenFields()).containsExactly("a", "b");
          assertThat(fused.instruction()).contains("For a: Do a", "For b: Do b");
        });
    assertThat(made(Given.map("a", "text"), Given.map("b", "a"))).isEmpty();
    assertThat(made(Given.map("a", "text"), Given.map("b"))).isEmpty();
    assertThat(made(Given.map("a", "text"), Given.map("b", List.of("a"), "text"))).isEmpty();
    assertThat(made(Given.manyMap("a", "text"), Given.map("b", "text"))).isEmpty();
    assertThat(made(Given.map("a", "text"), Given.filter("f", "text"), Given.map("b", "text")))
        .isEmpty();
  }

  @Test
  void neighbouringFiltersBecomeOneWithAllTheirConditions() {
    Program program = Given.program(conjunctive("f", "1", "2"), Given.filter("g", "title"));
    assertThat(Rewrites.derived(program).keySet()).containsExactly("f.1", "f.2", "f+g");
    assertThat(Objects.requireNonNull(Rewrites.derived(program).get("f+g")).instead())
        .containsExactly(
            new SemanticFilter(
                "f+g", "documents", List.of("1", "2", "It is g"), List.of("text", "title")));
  }

  @Test
  void programsCombineRewritesThatDoNotOverlapAndTheOneAsWrittenIsFirst() {
    Program program =
        Given.program(Given.filter("f", "t"), Given.filter("g", "t"), Given.filter("h", "t"));
    Rewrites.Variants variants = Rewrites.of(program, _ -> true);
    List<List<String>> ids = new ArrayList<>();
    for (Program variant : variants.programs()) {
      ids.add(variant.operators().stream().map(LogicalOperator::id).toList());
    }
    assertThat(ids)
        .containsExactly(List.of("f", "g", "h"), List.of("f+g", "h"), List.of("f", "g+h"));
    assertThat(Rewrites.of(program, _ -> false).programs()).containsExactly(program);
    assertThat(variants.complete()).isTrue();
  }

  @Test
  void noMoreProgramsAreMadeThanCanBeSearched() {
    Given.Spec[] specs = new Given.Spec[20];
    for (int i = 0; i < specs.length; i++) {
      specs[i] = conjunctive("f" + i, "1", "2");
    }
    Rewrites.Variants variants = Rewrites.of(Given.program(specs), _ -> true);
    assertThat(variants.programs()).hasSize(Rewrites.MOST_PROGRAMS);
    assertThat(variants.complete()).isFalse();
  }
}
