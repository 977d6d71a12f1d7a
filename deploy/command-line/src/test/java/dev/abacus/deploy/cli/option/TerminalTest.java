package dev.abacus.deploy.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void aPipeHasAnyWidthAndNoColour() {
    assertThat(Terminal.of(Map.of("COLUMNS", "60"), false, () -> 80)).isEqualTo(Terminal.NONE);
  }

  @Test
  void theWidthIsThatOfTheVariableOrOfTheSystem() {
    assertThat(Terminal.of(Map.of("COLUMNS", "60"), true, () -> 80).width()).isEqualTo(60);
    assertThat(Terminal.of(Map.of(), true, () -> 80).width()).isEqualTo(80);
    assertThat(Terminal.of(Map.of("COLUMNS", "wide"), true, () -> 80).width()).isEqualTo(80);
    assertThat(Terminal.of(Map.of("COLUMNS", "3"), true, () -> 80).width())
        .isEqualTo(Terminal.LEAST_WIDTH);
  }

  @Test
  void noColorAndDumbTerminalsForbidColours() {
    assertThat(Terminal.of(Map.of("TERM", "xterm"), true, () -> 80).colours()).isTrue();
    assertThat(Terminal.of(Map.of("NO_COLOR", ""), true, () -> 80).colours()).isTrue();
    assertThat(Terminal.of(Map.of("NO_COLOR", "1"), true, () -> 80).colours()).isFalse();
    assertThat(Terminal.of(Map.of("TERM", "dumb"), true, () -> 80).colours()).isFalse();
  }

  @Test
  void linesAreBrokenBetweenWordsAndKeepAllOfThem() {
    Terminal narrow = new Terminal(40, false);
    String line = "  search: sampling, 40 of 150 samples back, $0.1200: a plan is in force";
    assertThat(narrow.wrap(line))
        .allMatch(part -> part.length() <= 40)
        .first()
        .asString()
        .startsWith("  search:");
    assertThat(String.join(" ", narrow.wrap(line)).replaceAll(" +", " "))
        .isEqualTo(line.replaceAll(" +", " "));
    String word = "x".repeat(90);
    assertThat(narrow.wrap("  " + word)).containsExactly("  " + word);
  }
}
