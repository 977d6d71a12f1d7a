package dev.abacus.optimizer.rule.transformation;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.project;
import static dev.abacus.optimizer.rule.transformation.RuleAssert.assertThatRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.rule.TransformationRule;
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
  void rulesHaveTheNamesOfTheirFiles() {
    assertThat(TransformationRules.ALL)
        .extracting(TransformationRule::name)
        .doesNotHaveDuplicates()
        .contains("PushFilterBelowMap", "SwapIndependentMaps");
  }
}
