package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

  /** Whoever may write to a topic must not steer the terminal of an operator. */
  @Test
  void controlCharactersOfAKeyAreSpaces() {
    assertThat(new Table("key", "n").row("a\nb\u001b[2J\u009b", 5).lines())
        .containsExactly("key       n", "a b [2J   5");
  }
}
