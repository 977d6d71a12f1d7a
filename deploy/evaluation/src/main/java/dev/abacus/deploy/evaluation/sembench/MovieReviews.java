package dev.abacus.deploy.evaluation.sembench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.dataset.Phrases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Written reviews whose scores are known. As in SemBench, one movie has mostly negative reviews,
 * another one is the one whose reviews are compared, and the audience of a movie agrees only partly
 * with its critics.
 *
 * @param reviews of all movies, and validation examples
 * @param audience the audience's score of each movie
 */
record MovieReviews(List<Review> reviews, Map<String, Double> audience) {

  /** The movie with mostly negative reviews. */
  static final String PANNED = "taken_3";

  /** The movie whose reviews are compared in pairs. */
  static final String COMPARED = "ant_man_and_the_wasp_quantumania";

  /** Folder of the program and the sentences on the class path. */
  static final String RESOURCES = "/dev/abacus/deploy/evaluation/sembench/";

  private static final int OF_PANNED = 120;
  private static final int OF_COMPARED = 80;
  private static final int MOVIES = 100;

  /** Validation examples of each of the two movies, and of all others together. */
  private static final int EXAMPLES = 40;

  MovieReviews {
    reviews = List.copyOf(reviews);
    audience = Collections.unmodifiableMap(new TreeMap<>(audience));
  }

  /**
   * Writes reviews; the same seed yields the same ones.
   *
   * @param number of reviews, at least 300, beside the validation examples
   */
  static MovieReviews of(int number, long seed) {
    Writer writer = new Writer(new Random(seed));
    writer.movie(PANNED, 1.9, OF_PANNED, EXAMPLES);
    writer.movie(COMPARED, 3.2, OF_COMPARED, EXAMPLES);
    int rest = number - OF_PANNED - OF_COMPARED;
    for (int i = 0; i < MOVIES; i++) {
      int reviews = rest * (i + 1) / MOVIES - rest * i / MOVIES;
      int examples = EXAMPLES * (i + 1) / MOVIES - EXAMPLES * i / MOVIES;
      writer.movie(
          "movie_%03d".formatted(i), 1.5 + 3 * writer.random.nextDouble(), reviews, examples);
    }
    return new MovieReviews(writer.reviews, writer.audience);
  }

  /** The reviews of the scenario, without the examples. */
  List<Review> documents() {
    return reviews.stream().filter(review -> !review.example()).toList();
  }

  private static final class Writer {

    private final Random random;
    private final Phrases phrases;
    private final List<Review> reviews = new ArrayList<>();
    private final Map<String, Double> audience = new TreeMap<>();

    Writer(Random random) {
      this.random = random;
      this.phrases = Phrases.read(RESOURCES + "reviews.json", random, 180);
    }

    /** Adds a movie with a mean score. */
    void movie(String id, double mean, int number, int examples) {
      audience.put(id, mean + random.nextGaussian());
      for (int i = 0; i < number + examples; i++) {
        int score = Math.clamp(Math.round(mean + 1.1 * random.nextGaussian()), 1, 5);
        reviews.add(review(id, score, i >= number));
      }
    }

    private Review review(String movie, int score, boolean example) {
      String id = "r%04d".formatted(reviews.size());
      // Any five words have the id, so the simulated models tell both reviews of a pair apart.
      String header =
          "%s: review %s by %s, %s."
              .formatted(id, id, phrases.one(phrases.texts().path("critics")), id);
      List<String> sentences = new ArrayList<>();
      add(sentences, "praise", Math.max(0, score - 2));
      add(sentences, "criticism", Math.max(0, 4 - score));
      add(sentences, "neutral", score == 3 ? 3 : 1);
      Collections.shuffle(sentences, random);
      sentences.addFirst(header);
      return new Review(movie, id, header, String.join(" ", sentences), score, example);
    }

    private void add(List<String> sentences, String kind, int number) {
      List<JsonNode> all = new ArrayList<>();
      phrases.texts().path(kind).forEach(all::add);
      Collections.shuffle(all, random);
      all.subList(0, number).forEach(sentence -> sentences.add(phrases.filled(sentence.asText())));
    }
  }
}
