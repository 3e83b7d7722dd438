package io.spillway.server.rest;

import java.math.BigDecimal;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The form of a progress report for the API document. */
@Schema(
    name = "ProgressReport",
    description =
        "How far the job is, at most 4 KB; every member may be missing. step and steps make a fraction"
            + " where none is named; attempt guards against reports of an older attempt")
public record ProgressSchema(
    @Schema(minimum = "0", maximum = "1", examples = "0.42") BigDecimal fraction,
    @Schema(minimum = "0", examples = "4200") Integer step,
    @Schema(minimum = "1", examples = "10000") Integer steps,
    @Schema(maxLength = 200, examples = "epoch 3") String message,
    @Schema(description = "Numbers by name, at most 32") Map<String, BigDecimal> values,
    @Schema(minimum = "1", examples = "1") Integer attempt) {}
