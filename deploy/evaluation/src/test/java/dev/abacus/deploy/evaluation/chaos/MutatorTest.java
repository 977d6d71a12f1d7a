package dev.abacus.deploy.evaluation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MutatorTest {

  private static final int MUTANTS = 2_000;
  private static final byte[] RECORD =
      "{\"a\":[1,{\"b\":\"c\"}],\"d\":{\"e\":true}}".getBytes(StandardCharsets.UTF_8);

  private static List<String> draw(long seed) {
    Mutator mutator = new Mutator(seed);
    return IntStream.range(0, MUTANTS)
        .mapToObj(_ -> new String(mutator.of(RECORD), StandardCharsets.ISO_8859_1))
        .toList();
  }

  @Test
  void aSeedGivesAlwaysTheSameMutants() {
    assertThat(draw(1)).isEqualTo(draw(1)).isNotEqualTo(draw(2));
  }

  @Test
  void someMutantsAreJsonAndSomeAreNot() {
    Set<String> json = new HashSet<>();
    Set<String> other = new HashSet<>();
    draw(1).forEach(mutant -> (isJson(mutant) ? json : other).add(mutant));

    assertThat(json).hasSizeGreaterThan(80);
    assertThat(other).hasSizeGreaterThan(200);
    assertThat(other).containsAll(Mutator.HOSTILE.subList(0, 3));
  }

  private static boolean isJson(String mutant) {
    try {
      return new ObjectMapper().readTree(mutant).isContainerNode();
    } catch (IOException e) {
      return false;
    }
  }
}
