package dev.abacus.optimizer.search.rule.transformation;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.join;
import static dev.abacus.optimizer.Given.limit;
import static dev.abacus.optimizer.Given.manyMap;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.project;
import static dev.abacus.optimizer.Given.rank;
import static dev.abacus.optimizer.Given.resolve;
import static dev.abacus.optimizer.Given.topK;
import static dev.abacus.optimizer.search.rule.transformation.RuleAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each line gives the operators in execution order, the lower one first. */
class TransformationRulesTest {

  private static final TransformationRule EXCHANGE = new ExchangeIndependentOperators();
  private static final TransformationRule PROJECTION = new ExchangeProjection();

  @Test
  void aFilterGoesBelowAMapWhoseFieldsItDoesNotRead() {
    assertThat(EXCHANGE).on(map("m", "text"), filter("f", "text")).fires();
    assertThat(EXCHANGE).on(map("m"), filter("f", "text")).fires();
    assertThat(EXCHANGE).on(map("m", "text"), filter("f", "text", "m")).doesNotFire();
    assertThat(EXCHANGE).on(map("m", "text"), filter("f")).doesNotFire();
    assertThat(EXCHANGE).on(map("m", List.of("text"), "text"), filter("f", "text")).doesNotFire();
  }

  @Test
  void aMapGoesBelowAFilterThatDoesNotReadItsFields() {
    assertThat(EXCHANGE).on(filter("f", "text"), map("m")).fires();
    assertThat(EXCHANGE).on(filter("f", "text"), map("m", "text")).fires();
    assertThat(EXCHANGE).on(filter("f", "text"), map("m", List.of("text"), "a")).doesNotFire();
    assertThat(EXCHANGE).on(filter("f"), map("m", "text")).doesNotFire();
  }

  @Test
  void filtersAreAlwaysExchanged() {
    assertThat(EXCHANGE).on(filter("f"), filter("g")).fires();
    assertThat(EXCHANGE).on(filter("f", "a"), filter("g", "a")).fires();
  }

  @Test
  void mapsAreExchangedIfNeitherTouchesWhatTheOtherWrites() {
    assertThat(EXCHANGE).on(map("m", "text"), map("n", "text")).fires();
    assertThat(EXCHANGE).on(map("m", "text"), map("n", "m")).doesNotFire();
    assertThat(EXCHANGE).on(map("m", "n"), map("n", "text")).doesNotFire();
    assertThat(EXCHANGE).on(map("m", "text"), map("n")).doesNotFire();
    assertThat(EXCHANGE)
        .on(map("m", List.of("x"), "text"), map("n", List.of("x"), "text"))
        .doesNotFire();
  }

  @Test
  void aFilterGoesBelowATopKWhoseItemsItDoesNotRead() {
    assertThat(EXCHANGE).on(topK("k", "text"), filter("f", "text")).fires();
    assertThat(EXCHANGE).on(topK("k", "text"), filter("f", "k")).doesNotFire();
    assertThat(EXCHANGE).on(topK("k", "text"), filter("f")).doesNotFire();
    assertThat(EXCHANGE).on(filter("f", "a"), topK("k", "b")).fires();
  }

  @Test
  void aFilterThatReadsTheDocumentGoesBelowAJoinAndOneThatReadsTheMatchStays() {
    assertThat(EXCHANGE).on(join("j", "text"), filter("f", "text")).fires();
    assertThat(EXCHANGE).on(join("j", "text"), filter("f", "j")).doesNotFire();
    assertThat(EXCHANGE).on(join("j", "text"), filter("f", "text", "j")).doesNotFire();
    assertThat(EXCHANGE).on(filter("f", "a"), join("j", "b")).fires();
  }

  @Test
  void joinsAreReorderedUnlessOneReadsWhatTheOtherAdds() {
    assertThat(EXCHANGE).on(join("i", "text"), join("j", "text")).fires();
    assertThat(EXCHANGE).on(join("i", "text"), join("j", "i")).doesNotFire();
    assertThat(EXCHANGE).on(join("i", "text"), join("j")).doesNotFire();
  }

  @Test
  void mapsTopKsAndJoinsAreExchangedIfTheyAreIndependent() {
    assertThat(EXCHANGE).on(topK("k", "a"), map("m", "a")).fires();
    assertThat(EXCHANGE).on(topK("k", "a"), map("m", "k")).doesNotFire();
    assertThat(EXCHANGE).on(manyMap("m", "a"), topK("k", "a")).fires();
    assertThat(EXCHANGE).on(map("m", "a"), topK("k", "m")).doesNotFire();
    assertThat(EXCHANGE).on(join("j", "a"), map("m", "a")).fires();
    assertThat(EXCHANGE).on(join("j", "a"), map("m", "j")).doesNotFire();
    assertThat(EXCHANGE).on(map("m", "a"), join("j", "a")).fires();
    assertThat(EXCHANGE).on(map("m", "a"), join("j", "m")).doesNotFire();
    assertThat(EXCHANGE).on(topK("k", "a"), topK("l", "a")).fires();
    assertThat(EXCHANGE).on(topK("k", "a"), topK("l", "k")).doesNotFire();
    assertThat(EXCHANGE).on(join("j", "a"), topK("k", "a")).fires();
    assertThat(EXCHANGE).on(join("j", "a"), topK("k", "j")).doesNotFire();
    assertThat(EXCHANGE).on(topK("k", "a"), join("j", "a")).fires();
    assertThat(EXCHANGE).on(topK("k", "a"), join("j", "k")).doesNotFire();
    assertThat(EXCHANGE).on(topK("k", "a"), rank("r", "k", "a")).doesNotFire();
    assertThat(EXCHANGE).on(rank("r", "k", "a"), filter("f", "a")).fires();
    assertThat(EXCHANGE).on(resolve("e", "a"), filter("f", "a")).fires();
    assertThat(EXCHANGE).on(resolve("e", "a"), filter("f", "e")).doesNotFire();
    assertThat(EXCHANGE).on(rank("r", "k"), filter("f", "a")).fires();
    assertThat(EXCHANGE).on(rank("r", "k"), map("m", "a")).doesNotFire();
  }

  @Test
  void nothingIsExchangedWithABarrier() {
    assertThat(EXCHANGE).on(limit(5), filter("f", "a")).doesNotFire();
    assertThat(EXCHANGE).on(filter("f", "a"), limit(5)).doesNotFire();
    assertThat(EXCHANGE).on(map("m", "a"), limit(5)).doesNotFire();
    assertThat(PROJECTION).on(limit(5), project("p", "a")).doesNotFire();
    assertThat(PROJECTION).on(project("p", "a"), limit(5)).doesNotFire();
  }

  @Test
  void independenceDoesNotCoverProjections() {
    assertThat(EXCHANGE).on(project("p", "a"), filter("f", "a")).doesNotFire();
    assertThat(EXCHANGE).on(filter("f", "a"), project("p", "b")).doesNotFire();
  }

  @Test
  void aFilterPassesAProjectionThatKeepsWhatItReads() {
    assertThat(PROJECTION).on(project("p", "a", "b"), filter("f", "a")).fires();
    assertThat(PROJECTION).on(project("p", "a"), filter("f", "b")).doesNotFire();
    assertThat(PROJECTION).on(project("p", "a"), filter("f")).doesNotFire();
  }

  @Test
  void aMapPassesAProjectionThatKeepsWhatItReadsAndWrites() {
    assertThat(PROJECTION).on(project("p", "a", "m"), map("m", "a")).fires();
    assertThat(PROJECTION).on(project("p", "a"), map("m", "a")).doesNotFire();
    assertThat(PROJECTION).on(project("p", "m"), map("m", "a")).doesNotFire();
    assertThat(PROJECTION).on(project("p", "a", "m"), map("m")).doesNotFire();
  }

  @Test
  void aTopKAndAJoinPassAProjectionThatKeepsTheirFields() {
    assertThat(PROJECTION).on(project("p", "a", "k"), topK("k", "a")).fires();
    assertThat(PROJECTION).on(project("p", "a"), topK("k", "a")).doesNotFire();
    assertThat(PROJECTION).on(project("p", "a", "j"), join("j", "a")).fires();
    assertThat(PROJECTION).on(project("p", "a"), join("j", "a")).doesNotFire();
  }

  @Test
  void aProjectionGoesBelowAnOperatorWhoseFieldsItKeeps() {
    assertThat(PROJECTION).on(filter("f", "a"), project("p", "a")).fires();
    assertThat(PROJECTION).on(map("m", "a"), project("p", "a", "m")).fires();
    assertThat(PROJECTION).on(join("j", "a"), project("p", "a", "j")).fires();
    assertThat(PROJECTION).on(project("p", "a", "b"), project("q", "b", "c")).fires();
    assertThat(PROJECTION).on(filter("f", "b"), project("p", "a")).doesNotFire();
    assertThat(PROJECTION).on(filter("f"), project("p", "a")).doesNotFire();
    assertThat(PROJECTION).on(map("m", "a"), project("p", "a")).doesNotFire();
    assertThat(PROJECTION).on(map("m", "a"), project("p", "m")).doesNotFire();
  }

  @Test
  void aProjectionRuleNeedsAProjection() {
    assertThat(PROJECTION).on(map("m", "a"), filter("f", "a")).doesNotFire();
  }

  @Test
  void aLimitGoesBelowWhatHasOneOutputPerDocument() {
    TransformationRule rule = new ExchangeLimit();
    assertThat(rule).on(map("m", "a"), limit(5)).fires();
    assertThat(rule).on(topK("k", "a"), limit(5)).fires();
    assertThat(rule).on(filter("f", "a"), limit(5)).doesNotFire();
    assertThat(rule).on(join("j", "a"), limit(5)).doesNotFire();
    assertThat(rule).on(limit(5), map("m", "a")).doesNotFire();
    assertThat(rule).on(map("m", "a"), limit(5, "a", "b")).fires();
    assertThat(rule).on(map("m", "a"), limit(5, "a", "m")).doesNotFire();
  }

  @Test
  void everyOtherExchangeCanBeUndone() {
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
  void rulesAreNamedAfterTheirClasses() {
    assertThat(TransformationRules.ALL)
        .extracting(rule -> rule.getClass().getSimpleName())
        .containsExactly("ExchangeIndependentOperators", "ExchangeProjection", "ExchangeLimit");
  }
}
