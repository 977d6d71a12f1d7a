package dev.abacus.optimizer.search.rule.transformation;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.join;
import static dev.abacus.optimizer.Given.manyMap;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.project;
import static dev.abacus.optimizer.Given.topK;
import static dev.abacus.optimizer.search.rule.transformation.RuleAssert.assertThatRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransformationRulesTest {

  @Test
  void aFilterGoesBelowAMapWhoseFieldsItDoesNotRead() {
    TransformationRule rule = new PushFilterBelowMap();
    assertThatRule(rule).on(map("m", "text"), filter("f", "text")).fires();
    assertThatRule(rule).on(map("m"), filter("f", "text")).fires();
    assertThatRule(rule).on(map("m", "text"), filter("f", "text", "m")).doesNotFire();
    assertThatRule(rule).on(map("m", "text"), filter("f")).doesNotFire();
    assertThatRule(rule).on(map("m", List.of("text"), "text"), filter("f", "text")).doesNotFire();
    assertThatRule(rule).on(filter("f", "text"), map("m", "text")).doesNotFire();
  }

  @Test
  void aMapGoesBelowAFilterThatDoesNotReadItsFields() {
    TransformationRule rule = new PushMapBelowFilter();
    assertThatRule(rule).on(filter("f", "text"), map("m")).fires();
    assertThatRule(rule).on(filter("f", "text"), map("m", List.of("text"), "a")).doesNotFire();
    assertThatRule(rule).on(filter("f"), map("m", "text")).doesNotFire();
    assertThatRule(rule).on(map("m", "text"), filter("f", "text")).doesNotFire();
  }

  @Test
  void filtersAlwaysChangePlaces() {
    TransformationRule rule = new PushFilterBelowFilter();
    assertThatRule(rule).on(filter("f"), filter("g")).fires();
    assertThatRule(rule).on(filter("f", "a"), filter("g", "a")).fires();
    assertThatRule(rule).on(map("m", "a"), filter("g", "a")).doesNotFire();
  }

  @Test
  void mapsChangePlacesIfNeitherTouchesWhatTheOtherWrites() {
    TransformationRule rule = new SwapIndependentMaps();
    assertThatRule(rule).on(map("m", "text"), map("n", "text")).fires();
    assertThatRule(rule).on(map("m", "text"), map("n", "m")).doesNotFire();
    assertThatRule(rule).on(map("m", "n"), map("n", "text")).doesNotFire();
    assertThatRule(rule).on(map("m", "text"), map("n")).doesNotFire();
    assertThatRule(rule)
        .on(map("m", List.of("x"), "text"), map("n", List.of("x"), "text"))
        .doesNotFire();
    assertThatRule(rule).on(map("m", "text"), filter("f", "text")).doesNotFire();
  }

  @Test
  void aFilterPassesAProjectionThatKeepsWhatItReads() {
    TransformationRule rule = new PushFilterBelowProject();
    assertThatRule(rule).on(project("p", "a", "b"), filter("f", "a")).fires();
    assertThatRule(rule).on(project("p", "a"), filter("f", "b")).doesNotFire();
    assertThatRule(rule).on(project("p", "a"), filter("f")).doesNotFire();
    assertThatRule(rule).on(project("p", "a", "m"), map("m", "a")).doesNotFire();
  }

  @Test
  void aMapPassesAProjectionThatKeepsWhatItReadsAndWrites() {
    TransformationRule rule = new PushMapBelowProject();
    assertThatRule(rule).on(project("p", "a", "m"), map("m", "a")).fires();
    assertThatRule(rule).on(project("p", "a"), map("m", "a")).doesNotFire();
    assertThatRule(rule).on(project("p", "m"), map("m", "a")).doesNotFire();
    assertThatRule(rule).on(project("p", "a", "m"), map("m")).doesNotFire();
    assertThatRule(rule).on(project("p", "a"), filter("f", "a")).doesNotFire();
  }

  @Test
  void aProjectionGoesBelowWhatItKeepsAllFieldsOf() {
    TransformationRule rule = new PushProjectDown();
    assertThatRule(rule).on(filter("f", "a"), project("p", "a")).fires();
    assertThatRule(rule).on(map("m", "a"), project("p", "a", "m")).fires();
    assertThatRule(rule).on(project("p", "a", "b"), project("q", "b", "c")).fires();
    assertThatRule(rule).on(filter("f", "b"), project("p", "a")).doesNotFire();
    assertThatRule(rule).on(filter("f"), project("p", "a")).doesNotFire();
    assertThatRule(rule).on(map("m", "a"), project("p", "a")).doesNotFire();
    assertThatRule(rule).on(map("m", "a"), project("p", "m")).doesNotFire();
    assertThatRule(rule).on(project("p", "a"), filter("f", "a")).doesNotFire();
  }

  @Test
  void aFilterGoesBelowATopKWhoseItemsItDoesNotRead() {
    TransformationRule rule = new PushFilterBelowTopK();
    assertThatRule(rule).on(topK("k", "text"), filter("f", "text")).fires();
    assertThatRule(rule).on(topK("k", "text"), filter("f", "k")).doesNotFire();
    assertThatRule(rule).on(topK("k", "text"), filter("f")).doesNotFire();
    assertThatRule(new PushTopKBelowFilter()).on(filter("f", "a"), topK("k", "b")).fires();
  }

  @Test
  void aFilterThatReadsTheDocumentGoesBelowAJoinAndOneThatReadsTheMatchStays() {
    TransformationRule rule = new PushFilterBelowJoin();
    assertThatRule(rule).on(join("j", "text"), filter("f", "text")).fires();
    assertThatRule(rule).on(join("j", "text"), filter("f", "j")).doesNotFire();
    assertThatRule(rule).on(join("j", "text"), filter("f", "text", "j")).doesNotFire();
    assertThatRule(new PushJoinBelowFilter()).on(filter("f", "a"), join("j", "b")).fires();
  }

  @Test
  void joinsAreReorderedUnlessOneReadsWhatTheOtherAdds() {
    TransformationRule rule = new ReorderJoins();
    assertThatRule(rule).on(join("i", "text"), join("j", "text")).fires();
    assertThatRule(rule).on(join("i", "text"), join("j", "i")).doesNotFire();
    assertThatRule(rule).on(join("i", "text"), join("j")).doesNotFire();
  }

  @Test
  void mapsSearchesAndJoinsChangePlacesIfTheyAreIndependent() {
    assertThatRule(new PushMapBelowTopK()).on(topK("k", "a"), map("m", "a")).fires();
    assertThatRule(new PushMapBelowTopK()).on(topK("k", "a"), map("m", "k")).doesNotFire();
    assertThatRule(new PushTopKBelowMap()).on(manyMap("m", "a"), topK("k", "a")).fires();
    assertThatRule(new PushTopKBelowMap()).on(map("m", "a"), topK("k", "m")).doesNotFire();
    assertThatRule(new PushMapBelowJoin()).on(join("j", "a"), map("m", "a")).fires();
    assertThatRule(new PushMapBelowJoin()).on(join("j", "a"), map("m", "j")).doesNotFire();
    assertThatRule(new PushJoinBelowMap()).on(map("m", "a"), join("j", "a")).fires();
    assertThatRule(new PushJoinBelowMap()).on(map("m", "a"), join("j", "m")).doesNotFire();
    assertThatRule(new SwapIndependentTopKs()).on(topK("k", "a"), topK("l", "a")).fires();
    assertThatRule(new SwapIndependentTopKs()).on(topK("k", "a"), topK("l", "k")).doesNotFire();
    assertThatRule(new PushTopKBelowJoin()).on(join("j", "a"), topK("k", "a")).fires();
    assertThatRule(new PushTopKBelowJoin()).on(join("j", "a"), topK("k", "j")).doesNotFire();
    assertThatRule(new PushJoinBelowTopK()).on(topK("k", "a"), join("j", "a")).fires();
    assertThatRule(new PushJoinBelowTopK()).on(topK("k", "a"), join("j", "k")).doesNotFire();
  }

  @Test
  void searchesAndJoinsPassAProjectionThatKeepsTheirFields() {
    assertThatRule(new PushTopKBelowProject()).on(project("p", "a", "k"), topK("k", "a")).fires();
    assertThatRule(new PushTopKBelowProject()).on(project("p", "a"), topK("k", "a")).doesNotFire();
    assertThatRule(new PushJoinBelowProject()).on(project("p", "a", "j"), join("j", "a")).fires();
    assertThatRule(new PushJoinBelowProject()).on(project("p", "a"), join("j", "a")).doesNotFire();
    assertThatRule(new PushProjectDown()).on(join("j", "a"), project("p", "a", "j")).fires();
  }

  @Test
  void everyRuleHasAWayBack() {
    List<LogicalOperator> operators =
        Given.program(
                map("m", "a"),
                filter("f", "a"),
                topK("k", "a"),
                join("j", "a"),
                project("p", "a", "m", "k", "j"))
            .operators();
    for (LogicalOperator upper : operators) {
      for (LogicalOperator lower : operators) {
        assertThat(TransformationRules.mayExchange(upper, lower))
            .as("%s over %s", upper.id(), lower.id())
            .isEqualTo(TransformationRules.mayExchange(lower, upper));
      }
    }
  }

  @Test
  void rulesHaveTheNamesOfTheirFiles() {
    assertThat(TransformationRules.ALL)
        .extracting(TransformationRule::name)
        .doesNotHaveDuplicates()
        .contains("PushFilterBelowMap", "SwapIndependentMaps");
  }
}
