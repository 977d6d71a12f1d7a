package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.InProcessModels.Timed;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.skill.ModelProfiles.EmbeddingProfile;
import dev.abacus.deploy.simulator.tokens.HashedEmbedding;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.deploy.simulator.wire.EmbeddingRequest;
import dev.abacus.deploy.simulator.wire.EmbeddingResponse;
import java.util.List;

/** Serves embeddings. */
record EmbeddingService(ModelProfiles catalogue, Tokenizer tokenizer, CallStatistics statistics)
    implements ModelService {

  /**
   * Answers a request.
   *
   * @throws ApiException if the request is refused
   */
  @Override
  public Timed answer(ObjectNode json) {
    EmbeddingRequest request = EmbeddingRequest.of(json);
    EmbeddingProfile model = catalogue.embedding(request.model());
    if (model == null) {
      throw ApiException.unknownModel(request.model());
    }
    int tokens = 0;
    for (String input : request.inputs()) {
      int count = tokenizer.count(input);
      if (count > model.inputTokens()) {
        throw ApiException.tooLong(model.inputTokens(), count);
      }
      tokens += count;
    }
    int dimensions = request.dimensions() == 0 ? model.dimensions() : request.dimensions();
    if (dimensions < 1 || dimensions > model.dimensions()) {
      throw ApiException.invalid(
          "Invalid 'dimensions': from 1 to " + model.dimensions() + ".", "dimensions", null);
    }
    HashedEmbedding embedding = new HashedEmbedding(dimensions);
    List<float[]> vectors = request.inputs().stream().map(embedding::embed).toList();
    statistics.answered(model.name(), tokens, 0, 0);
    double seconds = model.secondsPerCall() + tokens / 1000.0 * model.secondsPerThousandTokens();
    return new Timed(EmbeddingResponse.of(request, vectors, tokens), seconds, model.usd(tokens));
  }
}
