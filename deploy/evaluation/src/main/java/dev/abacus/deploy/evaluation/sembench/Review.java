package dev.abacus.deploy.evaluation.sembench;

/**
 * A review of a movie.
 *
 * @param movie id of the movie
 * @param header its first sentence, which no other review has
 * @param text with the header
 * @param score how much its author likes the movie, from 1 to 5
 * @param example whether it is a validation example, beside the reviews of the scenario
 */
record Review(String movie, String id, String header, String text, int score, boolean example) {

  /** Whether it is clearly positive; all others count as negative. */
  boolean isPositive() {
    return score >= 4;
  }

  /** Whether this and the other one are a pair of a movie, in the order of their ids. */
  boolean isBefore(Review other) {
    return movie.equals(other.movie) && id.compareTo(other.id) < 0;
  }
}
