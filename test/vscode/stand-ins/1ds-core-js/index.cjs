exports.AppInsightsCore = Object;
