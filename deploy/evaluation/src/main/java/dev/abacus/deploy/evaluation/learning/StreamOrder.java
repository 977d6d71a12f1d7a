package dev.abacus.deploy.evaluation.learning;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The order in which messages arrive. */
enum StreamOrder {
  /** At random. */
  RANDOM,
  /** At random; every fourth intent appears only in the second half. */
  NEW_INTENTS,
  /** One intent after the other. */
  BY_INTENT;

  private static final int EVERY = 4;

  List<StreamMessage> of(List<StreamMessage> messages, long seed) {
    List<StreamMessage> shuffled = new ArrayList<>(messages);
    Collections.shuffle(shuffled, new Random(seed));
    return switch (this) {
      case RANDOM -> shuffled;
      case BY_INTENT -> {
        shuffled.sort(Comparator.comparing(StreamMessage::intent));
        yield shuffled;
      }
      case NEW_INTENTS -> {
        List<String> intents =
            List.copyOf(new TreeSet<>(messages.stream().map(StreamMessage::intent).toList()));
        Set<String> late =
            intents.stream()
                .filter(intent -> intents.indexOf(intent) % EVERY == 0)
                .collect(Collectors.toSet());
        List<StreamMessage> early =
            new ArrayList<>(shuffled.stream().filter(one -> !late.contains(one.intent())).toList());
        int half = Math.min(early.size(), messages.size() / 2);
        List<StreamMessage> second = new ArrayList<>(early.subList(half, early.size()));
        shuffled.stream().filter(one -> late.contains(one.intent())).forEach(second::add);
        Collections.shuffle(second, new Random(seed + 1));
        List<StreamMessage> all = new ArrayList<>(early.subList(0, half));
        all.addAll(second);
        yield all;
      }
    };
  }
}
