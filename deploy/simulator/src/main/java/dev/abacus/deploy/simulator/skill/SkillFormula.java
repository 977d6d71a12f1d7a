package dev.abacus.deploy.simulator.skill;

/**
 * The constants of the formula that turns a published score into behaviour; {@code models.json}
 * explains each. They are in log-odds unless stated otherwise.
 *
 * @param chance accuracy of guessing in MMLU-Pro (ten options)
 * @param ease how much easier reading a document is than MMLU-Pro
 * @param precisionEase how much easier it is to notice that a value is absent
 * @param difficultySlope loss from difficulty 0 to difficulty 1
 * @param reasoningBonus gain of models that think first, at medium effort
 * @param stepsBonus gain of other models if the answer begins with their reasoning
 * @param exampleBonus gain per doubling of one plus the number of solved examples in the prompt
 * @param kindVariation standard deviation of a model's ability between kinds of task
 * @param documentEffect standard deviation of the effect of a document, shared by all models
 * @param fieldEffect standard deviation of the effect of a field in a document, shared by all
 *     models
 * @param ownNoise standard deviation of the effect of a model on a field in a document
 * @param fieldLoad loss per natural logarithm of the number of fields asked at once
 * @param lengthLoss loss per doubling of the prompt beyond {@code lengthUnitTokens}
 * @param lengthUnitTokens prompt length in tokens at which the loss of length starts
 * @param middleLoss share by which the loss of length grows for evidence in the middle
 * @param temperatureShare share of the variance of the model's effect that is drawn per call at
 *     temperature 1
 * @param temperatureLoss loss at temperature 1
 * @param fidelityEase how much easier it is to copy a span whole than to find it
 * @param sharedMistake probability that a wrong answer is the mistake that all models make
 * @param weakestRecognition minimum advantage of the right proposal for an aggregator
 * @param voteWeight advantage of a proposal per further proposer who agrees
 * @param secondLook gain of a refiner on a field that the critique names
 * @param judgeNoise standard deviation of the score of a judge without ability, in [0, 1]
 * @param formatErrorFloor rate of format errors of a perfect model
 * @param formatErrorScale added rate, times the square of (1 - strength)
 * @param freeFormFactor factor on that rate if no schema is enforced
 * @param repairFactor factor on that rate if the prompt reports that the last answer was unreadable
 * @param firstTokenSeconds fixed part of the time to the first token, in seconds
 * @param firstTokenTokens part of the time to the first token that depends on the model, in output
 *     tokens
 * @param prefillShare time to read a prompt token, as a share of the time to write one
 * @param reasoningTokens thinking tokens of a reasoning model per call at medium effort
 */
public record SkillFormula(
    double chance,
    double ease,
    double precisionEase,
    double difficultySlope,
    double reasoningBonus,
    double stepsBonus,
    double exampleBonus,
    double kindVariation,
    double documentEffect,
    double fieldEffect,
    double ownNoise,
    double fieldLoad,
    double lengthLoss,
    double lengthUnitTokens,
    double middleLoss,
    double temperatureShare,
    double temperatureLoss,
    double fidelityEase,
    double sharedMistake,
    double weakestRecognition,
    double voteWeight,
    double secondLook,
    double judgeNoise,
    double formatErrorFloor,
    double formatErrorScale,
    double freeFormFactor,
    double repairFactor,
    double firstTokenSeconds,
    double firstTokenTokens,
    double prefillShare,
    double reasoningTokens) {}
