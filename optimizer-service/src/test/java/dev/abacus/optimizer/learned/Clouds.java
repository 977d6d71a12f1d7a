package dev.abacus.optimizer.learned;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Labelled unit vectors around one centre per class; the wider they scatter, the harder. */
record Clouds(int classes, int dimensions, double scatter, double wrongLabels) {

  List<LabelledVector> draw(int count, Random random) {
    List<LabelledVector> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int answer = random.nextInt(classes);
      float[] vector = new float[dimensions];
      double squares = 0;
      for (int d = 0; d < dimensions; d++) {
        vector[d] = (float) (scatter * random.nextGaussian() + (d == answer ? 1 : 0));
        squares += vector[d] * vector[d];
      }
      for (int d = 0; d < dimensions; d++) {
        vector[d] /= (float) Math.sqrt(squares);
      }
      int label = random.nextDouble() < wrongLabels ? random.nextInt(classes) : answer;
      drawn.add(new LabelledVector("e" + i, vector, label, true));
    }
    return drawn;
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      names.add("\"c" + i + "\"");
    }
    return names;
  }
}
